import { isLoopback } from '../../../contract/vocabulary/parsers/loopback.js';
import { Found } from '../places.js';
import { type ContentInput, counted, type Finding, findingOf, plainFinding } from './input.js';

/** Checks where links lead, without requesting them. */

const WEB = new Set(['http:', 'https:']);
const OTHERS = /^(?:mailto|tel|sms|geo|maps|facetime|skype|whatsapp|webcal|cid):/i;

export function checkLinkTargets({ document, places }: ContentInput): Finding {
  const found = new Found();
  const links = document.elements.filter(({ name, attributes }) => name === 'a' && !attributes.has('name'));
  for (const link of links) {
    const problem = problemOf(link.attributes.get('href'));
    if (problem !== undefined) found.add(() => places.of(link, problem));
  }
  if (links.length === 0) return plainFinding('link-targets', null, 'The HTML has no links.');
  const total = counted(links.length, 'link');
  return findingOf(
    'link-targets',
    found,
    `${total}, each with a complete URL.`,
    `${found.count} of ${total} without a complete, encrypted URL.`,
  );
}

/** Characters of a URL that are parsed. */
const URL_MAX = 8_192;

function problemOf(href: string | undefined): string | undefined {
  const url = href?.trim().slice(0, URL_MAX);
  if (url === undefined || url === '' || url === '#') return 'no target';
  if (url.startsWith('#') || OTHERS.test(url)) return undefined;
  if (!URL.canParse(url)) return 'not a complete URL';
  const { protocol, hostname } = new URL(url);
  // Scripts are reported as active content.
  if (!WEB.has(protocol)) return undefined;
  return protocol === 'http:' && !isLoopback(hostname) ? 'not encrypted (http)' : undefined;
}
