import { earlierAdvice, emailInWords, nearMissLines, windowInWords } from '../../../client/checks/check.js';
import type { NearMiss } from '../../../contract/control/emails/captured-email.js';
import type { WaitRequest, WaitResult } from '../../../contract/control/emails/wait.js';
import { formatDuration } from '../../../contract/vocabulary/durations.js';
import type { ErrorDetail } from '../../../contract/vocabulary/error-detail.js';
import { NEAR_MISSES_MAX, UNEXPECTED_MAX } from '../../../contract/vocabulary/limits.js';
import { COUNT_MAX } from '../../../contract/vocabulary/ranges.js';
import { plural } from '../../../contract/vocabulary/text.js';

/** A wait that failed, for people and for scripts. */
export interface WaitFailure {
  message: string;
  hint: string | undefined;
  /** The emails that match, and those that almost did. */
  lines: string[];
  /** The same emails for --json, by ID. */
  details: ErrorDetail[];
}

type Request = WaitRequest & { timeout_ms: number };

export function waitFailure(request: Request, { emails, total, near_misses: misses }: WaitResult): WaitFailure {
  const matching = emails.map(emailInWords);
  const more =
    total > emails.length ? [`and ${total > COUNT_MAX ? 'at least ' : ''}${total - emails.length} more`] : [];
  return {
    message: messageOf(request, total),
    hint: hintOf(request, total, misses.length),
    lines: [
      ...(matching.length > 0 ? ['Emails that match:', ...indented([...matching, ...more])] : []),
      ...(misses.length > 0 ? ['Emails that do not match, the closest first:', ...indented(closest(misses))] : []),
    ],
    details: [...emails.map(({ id }) => ({ path: id, message: 'matches' })), ...misses.map(detailOf)],
  };
}

function messageOf(request: Request, total: number): string {
  const { query, min = 1, max, absent, timeout_ms } = request;
  const condition = query === '' ? '' : `: ${query}`;
  if (absent) return `Expected no email, but ${countOf(total, absent)} matched${condition}`;
  const within = `within ${formatDuration(timeout_ms)}`;
  if (total === 0) return `No email matched ${within}${condition}`;
  const expected =
    max === null ? `${min} or more` : max === undefined || max === min ? String(min) : `${min} to ${max}`;
  return `Expected ${expected} ${expected === '1' ? 'email' : 'emails'}, but ${countOf(total)} matched ${within}${condition}`;
}

/** Returns the message of a wait that no email ended, as expected. */
export function absenceOf({ query, timeout_ms }: Request): string {
  return `As expected, no email matched within ${formatDuration(timeout_ms)}${query === '' ? '.' : `: ${query}`}`;
}

/** Returns the next step. An email before the window is the usual reason that none arrived in it. */
function hintOf({ since = '', min = 1, absent }: Request, total: number, misses: number): string | undefined {
  if (absent || total >= min) return undefined;
  const advice = earlierAdvice(since);
  if (total + misses === 0) return `No email arrived ${windowInWords(since)}${advice}.`;
  return `Change the conditions, or wait longer with --timeout${advice}.`;
}

/** Returns the number in words. The server does not count all emails. */
function countOf(total: number, absent = false): string {
  if (absent && total >= UNEXPECTED_MAX) return `at least ${plural(total, 'email')}`;
  return total > COUNT_MAX ? `more than ${plural(COUNT_MAX, 'email')}` : plural(total, 'email');
}

function detailOf({ id, failed }: NearMiss): ErrorDetail {
  return { path: id, message: failed.map(({ condition, actual }) => `${condition}: found ${actual}`).join('; ') };
}

/** Number of emails that do not match to show. The closest are enough to find the mistake. */
const MISSES_SHOWN = 3;

function closest(misses: readonly NearMiss[]): string[] {
  const more = misses.length - MISSES_SHOWN;
  // The server lists at most this number.
  const count = misses.length === NEAR_MISSES_MAX ? `at least ${more}` : String(more);
  return [...nearMissLines(misses.slice(0, MISSES_SHOWN)), ...(more > 0 ? [`and ${count} more`] : [])];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
