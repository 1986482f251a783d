import type { HeaderField, MailLink } from '../../model/search.js';
import { type Finding, finding } from './definitions.js';

/** Checks the header fields of one-click unsubscribing: RFC 2369 and RFC 8058. */
export function checkListUnsubscribe(headers: readonly HeaderField[], links: readonly MailLink[]): Finding {
  const { passed, details } = result(headers, links);
  return finding('list-unsubscribe', passed, details);
}

function result(headers: readonly HeaderField[], links: readonly MailLink[]) {
  const fields = (wanted: string) =>
    headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const field = (wanted: string) => fields(wanted)[0];
  const list = field('list-unsubscribe');
  if (list === undefined) {
    const hasLink = links.some(({ kind }) => kind === 'unsubscribe');
    if (!hasLink)
      return { passed: null, details: 'The email has no link to unsubscribe. Transactional email needs none.' };
    return { passed: false, details: 'The email has a link to unsubscribe, but no header field List-Unsubscribe.' };
  }
  const problem = problemOf(list, field('list-unsubscribe-post'), fields('dkim-signature'));
  return { passed: problem === undefined, details: problem ?? 'One-click unsubscribing is possible.' };
}

function problemOf(list: string, post: string | undefined, signatures: readonly string[]): string | undefined {
  const urls = [...list.matchAll(/<([^<>]*)>/g)].map(([, url = '']) => url.trim());
  if (!urls.some((url) => /^https:\/\/\S/i.test(url))) return 'List-Unsubscribe has no https URL in angle brackets.';
  if (post === undefined) return 'The header field List-Unsubscribe-Post is missing.';
  if (!/^\s{0,9}List-Unsubscribe=One-Click\s{0,9}$/i.test(post)) {
    return 'List-Unsubscribe-Post must be "List-Unsubscribe=One-Click".';
  }
  // Without a signature of its own, the service signs the message.
  const missing = signatures.map(missingIn);
  if (missing.length === 0 || missing.includes(undefined)) return undefined;
  if (missing.length === 1) return `The DKIM signature does not include ${missing[0]}.`;
  return 'None of the DKIM signatures includes both header fields.';
}

const SIGNED = ['list-unsubscribe', 'list-unsubscribe-post'];

/** Returns the header field that a signature does not include. */
function missingIn(signature: string): string | undefined {
  const [, list = ''] = /(?:^|;)\s{0,9}h\s{0,9}=([^;]{1,5000})/.exec(signature) ?? [];
  const names = list
    .toLowerCase()
    .split(':')
    .map((name) => name.trim());
  return SIGNED.find((name) => !names.includes(name));
}
