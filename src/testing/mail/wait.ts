import { emailInWords, nearMissLines } from '../../client/checks/check.js';
import type { CapturedEmail, NearMiss } from '../../client/operations.js';
import type { ServiceClient } from '../../client/service-client.js';
import { formatDuration } from '../../contract/vocabulary/durations.js';
import { allOf, formatCondition } from '../../contract/vocabulary/query/format-query.js';
import { COUNT_MAX as EMAILS_MAX } from '../../contract/vocabulary/ranges.js';
import type { WaitOptions } from '../api/emails.js';
import { millisecondsOf } from './criteria.js';

/** Waits for emails. The server does the waiting, so that timers of the test do not matter. */

/** Milliseconds, less than the 5 seconds after which vitest and jest end a test without saying what arrived. */
const WAIT_MS = 4_000;
const ABSENT_MS = 500;

/** A server, and the emails of it that count. */
export interface Mailbox {
  client: ServiceClient;
  /** The earliest emails to consider, as the API reads it. */
  since: string;
  /** Only emails to this address, in To, Cc or Bcc. */
  address?: string | undefined;
  onWait?: WaitListener | undefined;
}

/** Called with each email that a wait has returned, such as to attach it to the report of a test. */
export type WaitListener = (client: ServiceClient, email: CapturedEmail) => void;

/** Returns the newest emails that match, the newest first. @throws WaitError at the time-out. */
export async function waitForEmails(
  mailbox: Mailbox,
  query: string,
  { count, timeout, since }: WaitOptions & { count: number },
): Promise<CapturedEmail[]> {
  if (!Number.isInteger(count) || count < 1 || count > EMAILS_MAX) {
    const hint = count === 0 ? ' Use waitForNone() to check that no email arrives.' : '';
    const form = `a whole number from 1 to ${EMAILS_MAX}`;
    throw new TypeError(`The number of emails must be ${form}, not ${JSON.stringify(count) ?? count}.${hint}`);
  }
  const milliseconds = millisecondsOf(timeout ?? WAIT_MS, 'timeout');
  const body = {
    query: fullQuery(mailbox, query),
    min: count,
    since: startOf(mailbox, since),
    timeout_ms: Math.max(1, milliseconds),
  };
  const { matched, emails, total, near_misses } = await mailbox.client.control('emails.wait', { body });
  if (matched) return emails;
  const message = describeTimeout({
    address: mailbox.address,
    query,
    timeout: milliseconds,
    count,
    found: total,
    nearMisses: near_misses,
  });
  throw new WaitError(message, query, near_misses);
}

/** Checks that no email matches until the time-out. @throws WaitError with those that do. */
export async function waitForNoEmail(mailbox: Mailbox, query: string, { timeout, since }: WaitOptions): Promise<void> {
  const milliseconds = Math.max(1, millisecondsOf(timeout ?? ABSENT_MS, 'timeout'));
  const body = {
    query: fullQuery(mailbox, query),
    absent: true,
    since: startOf(mailbox, since),
    timeout_ms: milliseconds,
  };
  const { matched, emails } = await mailbox.client.control('emails.wait', { body });
  if (!matched) throw new WaitError(describeAbsenceFailure({ address: mailbox.address, query }, emails), query, []);
}

/** Returns the emails that match now, the newest first. @throws Error if more match than one call returns. */
export async function findEmails(mailbox: Mailbox, query: string): Promise<CapturedEmail[]> {
  const { client, since } = mailbox;
  const body = { query: fullQuery(mailbox, query), min: 1, max: EMAILS_MAX, since, timeout_ms: 1 };
  const { emails, total } = await client.control('emails.wait', { body });
  if (total <= EMAILS_MAX) return emails;
  throw new Error(
    `More than ${EMAILS_MAX} emails match, and all() returns at most ${EMAILS_MAX}. ` +
      `Narrow the criteria or delete emails first.\nQuery: ${body.query || 'any email'}`,
  );
}

function startOf(mailbox: Mailbox, since: CapturedEmail | undefined): string {
  if (since === undefined) return mailbox.since;
  if (typeof since?.cursor === 'string') return since.cursor;
  throw new TypeError(
    `since must be an email that the test received, such as the result of waitFor(), not ${JSON.stringify(since)}.`,
  );
}

/** The criteria come first, so that an error names a position close to that in the text of the test. */
export function fullQuery({ address }: Mailbox, query: string): string {
  return allOf(address === undefined ? [query] : [query, formatCondition('to', address)]);
}

/** Words the errors of waits. */

/** What a wait looked for. */
interface Wanted {
  address: string | undefined;
  query: string;
}

interface Timeout extends Wanted {
  timeout: number;
  count: number;
  /** Number of emails that matched. */
  found: number;
  nearMisses: readonly NearMiss[];
}

function describeTimeout({ timeout, count, found, nearMisses, ...search }: Timeout): string {
  const wanted = count === 1 ? 'an email' : `${count} emails, ${found} matched`;
  const lines = [
    `Timed out after ${formatDuration(timeout)} waiting for ${wanted}.`,
    '',
    ...describeSearch(search),
    '',
  ];
  if (nearMisses.length === 0) {
    lines.push(found === 0 ? 'No email arrived.' : 'No other email arrived.');
  } else {
    lines.push(
      'These emails arrived and do not match, closest first:',
      ...nearMissLines(nearMisses).map((line) => `  ${line}`),
    );
  }
  return lines.join('\n');
}

function describeAbsenceFailure(wanted: Wanted, emails: readonly CapturedEmail[]): string {
  const lines = emails.slice(0, 5).map((email) => `  ${emailInWords(email)}`);
  return ['An email matches, and none should.', '', ...describeSearch(wanted), '', 'It matches:', ...lines].join('\n');
}

function describeSearch({ address, query }: Wanted): string[] {
  const inbox = address === undefined ? [] : [`Inbox: ${address}`];
  return [...inbox, `Query: ${query === '' ? 'any email' : query}`];
}

/** A wait that ended without the expected emails or deliveries. */
export class WaitError extends Error {
  override readonly name = 'WaitError';

  constructor(
    message: string,
    /** The query of the wait, in svc’s query language. */
    readonly query: string,
    /** Emails that arrived and do not match, the closest first. */
    readonly nearMisses: readonly NearMiss[],
  ) {
    super(message);
  }
}

/** The position of a call, so that an error can show it: an asynchronous stack may have lost it. */
export interface CallSite {
  stack?: string;
}

/** Returns the position of the caller of `called`. Call it before the first `await`. */
export function callSite(called: (...args: never[]) => unknown): CallSite {
  const site: CallSite = {};
  Error.captureStackTrace(site, called);
  return site;
}

/** Runs `work`. An error of it gets the stack of the call site. */
export async function failingAt<T>(site: CallSite, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const frames = site.stack?.replace(/^.*\n/, '');
    if (error instanceof Error && frames) error.stack = `${error.name}: ${error.message}\n${frames}`;
    throw error;
  }
}
