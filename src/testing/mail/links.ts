import { unsubscribeLast } from '../../client/checks/check.js';
import type { CapturedEmail } from '../../client/operations.js';
import { nearestName } from '../../contract/vocabulary/nearest-name.js';
import type { EmailLink, LinkCriteria, TextPattern } from '../api/emails.js';

/** Finds links in captured emails. */

const LINK_CRITERIA = ['href', 'text', 'kind'];

/** Returns the first link that matches. @throws Error with the links of the email if none does. */
export function findLink(email: CapturedEmail, pattern: TextPattern | LinkCriteria | undefined): EmailLink {
  const found = matchingLinks(email, pattern)[0];
  if (found) return found;
  const { subject, links } = email;
  const wanted = pattern === undefined ? 'no link' : `no link that matches ${describeLinkPattern(pattern)}`;
  throw new Error([`The email ${JSON.stringify(subject)} has ${wanted}.`, ...describeLinks(links)].join('\n'));
}

/** Returns the links that match, in their order; without a pattern, links to unsubscribe come last. */
export function matchingLinks({ links }: CapturedEmail, pattern: TextPattern | LinkCriteria | undefined): EmailLink[] {
  if (pattern === undefined) return unsubscribeLast(links);
  checkCriteria(pattern);
  return links.filter((link) => matchesLink(link, pattern));
}

export function describeLinks(links: readonly EmailLink[]): string[] {
  if (links.length === 0) return ['It has no links.'];
  return ['Its links:', ...links.map(({ text, href, kind }) => `  ${href}  ${JSON.stringify(text)} (${kind})`)];
}

export function describeLinkPattern(pattern: TextPattern | LinkCriteria): string {
  if (typeof pattern === 'string') return JSON.stringify(pattern);
  if (isRegExp(pattern)) return String(pattern);
  return Object.entries(pattern)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`)
    .join(' and ');
}

/** @throws TypeError for a criterion that does not exist, because a link would match without it. */
function checkCriteria(pattern: TextPattern | LinkCriteria): void {
  if (typeof pattern !== 'object' || pattern === null || isRegExp(pattern)) {
    checkPattern(pattern);
    return;
  }
  const unknown = Object.keys(pattern).find((name) => !LINK_CRITERIA.includes(name));
  if (unknown !== undefined) throw unknownName(unknown, 'a criterion of a link', LINK_CRITERIA);
}

function matchesLink(link: EmailLink, pattern: TextPattern | LinkCriteria): boolean {
  if (typeof pattern === 'string' || isRegExp(pattern)) {
    return matchesPattern(link.href, pattern) || matchesPattern(link.text, pattern);
  }
  const { href, text, kind } = pattern;
  return (
    (href === undefined || matchesPattern(link.href, href)) &&
    (text === undefined || matchesPattern(link.text, text)) &&
    (kind === undefined || link.kind === kind)
  );
}

/** Returns the error for a name that does not exist, with the one that was probably meant. */
export function unknownName(name: string, kind: string, known: readonly string[]): TypeError {
  const meant = nearestName(name, known);
  const question = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return new TypeError(`"${name}" is not ${kind}.${question} Use ${known.join(', ')}.`);
}

/** Returns whether a value is a regular expression, also one of another realm, as in jest. */
export function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]';
}

/** @throws TypeError for a pattern that is neither a string nor a regular expression. */
export function checkPattern(pattern: unknown): asserts pattern is TextPattern {
  if (typeof pattern === 'string' || isRegExp(pattern)) return;
  throw new TypeError(`A pattern must be a string or a regular expression, not ${JSON.stringify(pattern)}.`);
}

/** Returns whether a text has this part, ignoring case, or matches this regular expression. */
export function matchesPattern(text: string, pattern: TextPattern): boolean {
  if (typeof pattern === 'string') return text.toLowerCase().includes(pattern.toLowerCase());
  // A global or sticky expression starts where it stopped; a test may use it several times.
  pattern.lastIndex = 0;
  const found = pattern.test(text);
  pattern.lastIndex = 0;
  return found;
}
