import type { CapturedEmail, NearMiss } from '../../contract/control/emails/captured-email.js';
import { readSince } from '../../contract/vocabulary/since.js';

/** The parts of an email that checks of its content read. */
export type CheckedEmail = Pick<
  CapturedEmail,
  'subject' | 'text' | 'html' | 'html_text' | 'links' | 'codes' | 'attachments' | 'size'
>;

/** The result of one check of an email. */
export interface Check {
  /** What was checked, such as `contains "Hello"`. */
  name: string;
  passed: boolean;
  /** What was found; for a failed check also what was expected. One line. */
  message: string;
  /** More lines about a failed check: a unified diff, or emails that almost matched. */
  details?: string;
}

export function passed(name: string, message: string): Check {
  return { name, passed: true, message };
}

export function failed(name: string, message: string, details?: string): Check {
  return { name, passed: false, message, ...(details && { details }) };
}

/** Maximum number of characters of an email's content that a message quotes. */
const QUOTED_CHARACTERS = 120;

/** Returns a text with single spaces in place of white space. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns a text of an email in quotation marks, on one line and shortened. */
export function quote(text: string): string {
  const line = onOneLine(text);
  return JSON.stringify(line.length <= QUOTED_CHARACTERS ? line : `${line.slice(0, QUOTED_CHARACTERS)}…`);
}

/** Maximum number of items that a message lists. */
const LISTED_MAX = 10;

/** Lists the first items: `a; b; 3 more`. */
export function listed(items: readonly string[]): string {
  const rest = items.length - LISTED_MAX;
  return [...items.slice(0, LISTED_MAX), ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

/** Selects the links and codes of an email that a test most probably needs. */

type Code = CapturedEmail['codes'][number];
type Link = CapturedEmail['links'][number];

/** Returns the most probable code; undefined if the email has none. */
export function bestCode(codes: readonly Code[]): Code | undefined {
  return codes.toSorted((a, b) => b.confidence - a.confidence)[0];
}

/** A code below it is more likely another number. */
const CERTAIN = 0.5;

/** Returns the codes that a test may rely on. */
export function certainCodes(codes: readonly Code[]): Code[] {
  return codes.filter(({ confidence }) => confidence >= CERTAIN);
}

/** Returns the link to verify, reset or sign in; undefined if the email has none. */
export function mainLink(links: readonly Link[]): Link | undefined {
  return links.find(({ kind }) => kind !== 'other' && kind !== 'unsubscribe');
}

/** Returns the links in their order, except that links to unsubscribe come last. */
export function unsubscribeLast(links: readonly Link[]): Link[] {
  const isLast = ({ kind }: Link) => Number(kind === 'unsubscribe');
  return links.toSorted((a, b) => isLast(a) - isLast(b));
}

/** Returns the links in the order of the inbox: those with a purpose first, such as to verify, and to unsubscribe last. */
export function purposefulFirst(links: readonly Link[]): Link[] {
  const isOther = ({ kind }: Link) => Number(kind === 'other');
  return unsubscribeLast(links.toSorted((a, b) => isOther(a) - isOther(b)));
}

/** Words the emails of a wait or a check, and the window that they are in. */

/** Returns the ID, the recipients and the subject of an email in one line. */
export function emailInWords({
  id,
  recipients,
  subject,
}: Pick<CapturedEmail, 'id' | 'recipients' | 'subject'>): string {
  const [first, ...others] = recipients;
  const rest = others.length === 0 ? '' : ` and ${others.length} other${others.length === 1 ? '' : 's'}`;
  return `${id} to ${first?.address ?? 'no one'}${rest}: ${quote(subject)}`;
}

/** Returns the window that begins at `since`, as the end of a sentence. */
export function windowInWords(since: string): string {
  const kind = readSince(since)?.kind;
  if (kind === 'start') return 'since the server started';
  if (kind === 'now') return 'during the wait';
  return kind === 'duration' ? `in the last ${since}` : `since ${since}`;
}

/** Returns how to include emails before the window, the usual reason that too few are found; empty if it has all. */
export function earlierAdvice(since: string): string {
  return readSince(since)?.kind === 'start' ? '' : '; to include earlier emails, pass --since start';
}

/** Returns lines about emails that almost matched: each email, then the conditions that it failed, indented. */
export function nearMissLines(nearMisses: readonly NearMiss[]): string[] {
  return nearMisses.flatMap(({ id, to, subject, failed }) => [
    `${id} to ${to}: ${quote(subject)}`,
    ...failed.map(({ condition, actual }) => `  ${condition}  found: ${actual.replace(/\s+/g, ' ')}`),
  ]);
}
