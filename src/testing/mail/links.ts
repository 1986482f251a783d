import { unsubscribeLast } from '../../client/checks/best-parts.js';
import type { CapturedEmail } from '../../client/operations.js';
import type { EmailLink, LinkCriteria, TextPattern } from '../api/emails.js';
import { unknownName } from '../unknown-name.js';
import { checkPattern, isRegExp, matchesPattern } from './patterns.js';

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
