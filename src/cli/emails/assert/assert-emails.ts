import { type Check, failed, passed, quote } from '../../../client/checks/check.js';
import { nearMissLines } from '../../../client/checks/near-misses.js';
import type { Client } from '../../../client/client.js';
import { waitForEmails } from '../../../client/wait-for-emails.js';
import type { CapturedEmail, NearMiss } from '../../../contract/control/captured-email.js';
import type { WaitResult } from '../../../contract/control/wait.js';
import type { CountRange } from '../../../contract/vocabulary/parsers/count-range.js';
import { formatCursor, readSince } from '../../../contract/vocabulary/parsers/since.js';
import { plural } from '../../output/plural.js';
import type { ContentCheck } from './content-flags.js';

/** The emails that are expected. */
export interface Selection {
  query: string;
  since: string;
  count: CountRange | undefined;
  absent: boolean;
}

export interface AssertResult {
  passed: boolean;
  checks: Check[];
  /** The newest email that matches. */
  email: CapturedEmail | null;
  near_misses: NearMiss[];
}

/** Checks the emails that have been captured, and their content. */
export async function assertEmails(
  client: Client,
  selection: Selection,
  contentChecks: readonly ContentCheck[],
): Promise<AssertResult> {
  const { query, since, count, absent } = selection;
  const expected = absent ? { absent } : { min: count?.min ?? 1, ...(count?.max !== undefined && { max: count.max }) };
  // One millisecond is the shortest wait. Messages that were accepted before it are parsed first.
  const found = await waitForEmails(client, { query, since, timeout_ms: 1, ...expected });
  const checks = [selectionCheck(selection, found)];
  const emails = contentChecks.length > 0 ? await withContentFound(client, found.emails) : found.emails;
  if (!absent) {
    const checked = count ? emails : emails.slice(0, 1);
    for (const check of contentChecks) {
      if (checked.length > 0) checks.push(await runCheck(check, checked));
    }
  }
  return {
    passed: checks.every((check) => check.passed),
    checks,
    email: emails[0] ?? null,
    near_misses: found.near_misses,
  };
}

const EXTRACTION_MS = 15_000;
/** Maximum number of emails to complete; a query can have 100 conditions. */
const COMPLETED_MAX = 90;

/**
 * Returns the emails with their links, codes and HTML as text. The server finds them after it has acknowledged an email,
 * which can take longer than a wait for the email itself. Every email has header fields once they are found.
 */
async function withContentFound(client: Client, emails: CapturedEmail[]): Promise<CapturedEmail[]> {
  const missing = emails.filter(({ headers }) => headers.length === 0).slice(0, COMPLETED_MAX);
  if (missing.length === 0) return emails;
  const ids = missing.map(({ id }) => `id:${id}`).join(' OR ');
  // Neither condition on links matches before they are found.
  const query = `(${ids}) (has:link OR -has:link)`;
  const count = { min: missing.length, max: missing.length };
  const found = await waitForEmails(client, { query, since: formatCursor(0), timeout_ms: EXTRACTION_MS, ...count });
  return emails.map((email) => found.emails.find(({ id }) => id === email.id) ?? email);
}

/** Runs a check of each email, and merges the results. */
async function runCheck({ run, newestOnly }: ContentCheck, emails: readonly CapturedEmail[]): Promise<Check> {
  const results: { id: string; check: Check }[] = [];
  for (const email of newestOnly ? emails.slice(0, 1) : emails) results.push({ id: email.id, check: await run(email) });
  const [first] = results;
  if (!first || results.length === 1) return first?.check ?? passed('', '');
  const failures = results.filter(({ check }) => !check.passed);
  const { name } = first.check;
  if (failures.length === 0) return passed(name, `passed for ${plural(results.length, 'email')}`);
  return failed(name, failures.map(({ id, check }) => `${id}: ${check.message}`).join('; '));
}

function selectionCheck(selection: Selection, { matched, emails, total, near_misses }: WaitResult): Check {
  const { count, absent } = selection;
  const [newest] = emails.map(describe);
  if (absent) {
    const none = `no email${conditionsOf(selection)}`;
    return matched ? passed('absent', `found ${none}`) : failed('absent', `expected ${none}, found ${newest}`);
  }
  const name = count ? `count ${rangeText(count)}` : 'email';
  if (matched) return passed(name, count ? `found ${total}, the newest is ${newest}` : `found ${newest}`);
  const details = total > (count?.max ?? 0) ? emails.map(describe) : nearMissLines(near_misses);
  const found = count ? `expected ${rangeText(count)}, found ${total}` : 'found no email';
  const advice = details.length === 0 ? windowAdvice(selection.since) : '';
  return failed(name, `${found}${conditionsOf(selection)}${advice}`, details.join('\n'));
}

function rangeText({ min, max }: CountRange): string {
  return max === min ? String(min) : `${min}..${max ?? ''}`;
}

function describe({ id, recipients, subject }: CapturedEmail): string {
  return `${id} to ${recipients[0]?.address ?? 'no one'}: ${quote(subject)}`;
}

/** Returns the query and the window, as the end of a message. */
function conditionsOf({ query, since }: Selection): string {
  return `${query === '' ? '' : ` for ${query}`} ${windowOf(since)}`;
}

/** An email before the window is the usual reason that none is found. */
function windowAdvice(since: string): string {
  return since === 'start' ? '' : '; to include earlier emails, pass --since start';
}

function windowOf(since: string): string {
  const kind = readSince(since)?.kind;
  if (kind === 'start') return 'since the server’s start';
  return kind === 'duration' ? `in the last ${since}` : `since ${since}`;
}
