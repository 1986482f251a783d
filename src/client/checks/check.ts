import type { CapturedEmail } from '../../contract/control/emails/captured-email.js';

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
