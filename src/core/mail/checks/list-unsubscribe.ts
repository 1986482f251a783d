import type { MailLink } from '../../model/search.js';
import type { ContentChecks } from '../../ports.js';

/** Checks the header fields of one-click unsubscribing: RFC 2369 and RFC 8058. */
export function checkListUnsubscribe(
  headers: readonly (readonly [name: string, value: string])[],
  links: readonly MailLink[],
): ContentChecks['findings'][number] {
  const { passed, details } = result(headers, links);
  return { id: 'list-unsubscribe', passed, details, count: 0, where: [] };
}

function result(headers: readonly (readonly [name: string, value: string])[], links: readonly MailLink[]) {
  const field = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const list = field('list-unsubscribe');
  if (list === undefined) {
    const hasLink = links.some(({ kind }) => kind === 'unsubscribe');
    if (!hasLink)
      return { passed: null, details: 'The email has no link to unsubscribe. Transactional email needs none.' };
    return { passed: false, details: 'The email has a link to unsubscribe, but no header field List-Unsubscribe.' };
  }
  const problem = problemOf(list, field('list-unsubscribe-post'), field('dkim-signature'));
  return { passed: problem === undefined, details: problem ?? 'One-click unsubscribing is possible.' };
}

function problemOf(list: string, post: string | undefined, signature: string | undefined): string | undefined {
  const urls = [...list.matchAll(/<([^<>]*)>/g)].map(([, url = '']) => url.trim());
  if (!urls.some((url) => /^https:\/\/\S/i.test(url))) return 'List-Unsubscribe has no https URL in angle brackets.';
  if (post === undefined) return 'The header field List-Unsubscribe-Post is missing.';
  if (!/^\s{0,9}List-Unsubscribe=One-Click\s{0,9}$/i.test(post)) {
    return 'List-Unsubscribe-Post must be "List-Unsubscribe=One-Click".';
  }
  // Without a signature of its own, the service signs the message.
  const [, signed] = /(?:^|;)\s{0,9}h\s{0,9}=([^;]{1,5000})/.exec(signature ?? '') ?? [];
  if (signed === undefined) return undefined;
  const names = signed
    .toLowerCase()
    .split(':')
    .map((name) => name.trim());
  const missing = ['list-unsubscribe', 'list-unsubscribe-post'].find((name) => !names.includes(name));
  return missing === undefined ? undefined : `The DKIM signature does not include ${missing}.`;
}
