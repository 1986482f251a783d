import {
  type Check,
  earlierAdvice,
  emailInWords,
  failed,
  nearMissLines,
  passed,
  windowInWords,
} from '../../../client/checks/check.js';
import type { Client } from '../../../client/client.js';
import { waitForEmails } from '../../../client/wait-for-emails.js';
import type { CapturedEmail, NearMiss } from '../../../contract/control/emails/captured-email.js';
import type { WaitResult } from '../../../contract/control/emails/wait.js';
import { COUNT_MAX, type CountRange } from '../../../contract/vocabulary/ranges.js';
import { plural } from '../../../contract/vocabulary/text.js';
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
  const expected = absent ? { absent } : count ? { min: count.min, max: count.max ?? null } : { min: 1 };
  // One millisecond is the shortest wait. Messages that were accepted before it are parsed first.
  const found = await waitForEmails(client, { query, since, timeout_ms: 1, ...expected });
  const checks = [selectionCheck(selection, found)];
  const { emails } = found;
  if (!absent) {
    const checked = count ? emails : emails.slice(0, 1);
    const ordered = contentChecks.toSorted((a, b) => Number(a.last ?? false) - Number(b.last ?? false));
    for (const check of ordered) {
      const allPassed = checks.every((each) => each.passed);
      if (checked.length > 0) checks.push(await runCheck(client, check, checked, allPassed));
    }
  }
  return {
    passed: checks.every((check) => check.passed),
    checks,
    email: emails[0] ?? null,
    near_misses: found.near_misses,
  };
}

/** Runs a check of each email, and merges the results. */
async function runCheck(
  client: Client,
  { run, newestOnly }: ContentCheck,
  emails: readonly CapturedEmail[],
  allPassed: boolean,
): Promise<Check> {
  const results: { id: string; check: Check }[] = [];
  for (const email of newestOnly ? emails.slice(0, 1) : emails)
    results.push({ id: email.id, check: await run(email, allPassed, client) });
  const [first] = results;
  if (!first || results.length === 1) return first?.check ?? passed('', '');
  const failures = results.filter(({ check }) => !check.passed);
  const { name } = first.check;
  if (failures.length === 0) return passed(name, `passed for ${plural(results.length, 'email')}`);
  return failed(name, failures.map(({ id, check }) => `${id}: ${check.message}`).join('; '));
}

function selectionCheck(selection: Selection, { matched, emails, total, near_misses }: WaitResult): Check {
  const { count, absent } = selection;
  const [newest] = emails.map(emailInWords);
  const number = total > COUNT_MAX ? `more than ${COUNT_MAX}` : String(total);
  if (absent) {
    const none = `no email${conditionsOf(selection)}`;
    return matched ? passed('absent', `found ${none}`) : failed('absent', `expected ${none}, found ${newest}`);
  }
  const name = count ? `count ${rangeText(count)}` : 'email';
  if (matched) return passed(name, count ? `found ${number}, the newest is ${newest}` : `found ${newest}`);
  const isTooMany = count?.max !== undefined && total > count.max;
  const details = isTooMany ? emails.map(emailInWords) : nearMissLines(near_misses);
  const found = count ? `expected ${rangeText(count)}, found ${number}` : 'found no email';
  const advice = isTooMany ? '' : earlierAdvice(selection.since);
  return failed(name, `${found}${conditionsOf(selection)}${advice}`, details.join('\n'));
}

function rangeText({ min, max }: CountRange): string {
  return max === min ? String(min) : `${min}..${max ?? ''}`;
}

/** Returns the query and the window, as the end of a message. */
function conditionsOf({ query, since }: Selection): string {
  return `${query === '' ? '' : ` for ${query}`} ${windowInWords(since)}`;
}
