import type { CapturedEmail, NearMiss } from '../../../contract/control/captured-email.js';
import type { WaitRequest, WaitResult } from '../../../contract/control/wait.js';
import type { ErrorDetail } from '../../../contract/vocabulary/errors.js';
import { formatDuration, readDuration } from '../../../contract/vocabulary/parsers/duration.js';
import { AssertionFailedError } from '../../errors/exit-codes.js';
import { excerpt } from '../../output/text.js';
import { plural } from '../../output/plural.js';

/** Returns the error of a wait that failed. Its details are the emails that arrived instead. */
export function waitFailure(request: WaitRequest & { timeout_ms: number }, result: WaitResult): AssertionFailedError {
  const { emails, near_misses: misses } = result;
  const within = `within ${formatDuration(request.timeout_ms)}`;
  const query = request.query === '' ? 'any email' : excerpt(request.query);
  if (request.absent) {
    return new AssertionFailedError(`An email matches ${query}, and none is expected.`, emails.map(describeMatch));
  }
  const details = [...emails.map(describeMatch), ...misses.map(describeMiss)];
  return new AssertionFailedError(messageOf(request, emails.length, query, within), details, hintOf(request, details));
}

function messageOf({ min = 1, max }: WaitRequest, found: number, query: string, within: string): string {
  if (max === undefined || found === 0) return `No email matched ${within}: ${query}`;
  const expected = max === min ? `${min}` : `${min} to ${max}`;
  const count = found > max ? `more than ${max}` : `${found}`;
  return `${expected} ${max === 1 ? 'email was' : 'emails were'} expected, and ${count} matched ${within}: ${query}`;
}

/** An email before the window is the usual reason that none is listed. */
function hintOf({ since = '' }: WaitRequest, details: readonly ErrorDetail[]): string | undefined {
  if (details.length > 0) return undefined;
  const window = readDuration(since) === undefined ? `since ${since}` : `in the last ${since} or during the wait`;
  return since === 'start'
    ? 'No email arrived since the server started.'
    : `No email arrived ${window}. To include earlier emails, pass --since start.`;
}

function describeMatch({ id, subject, recipients }: CapturedEmail): ErrorDetail {
  const [first] = recipients;
  const others = recipients.length > 1 ? ` and ${plural(recipients.length - 1, 'other')}` : '';
  return { path: id, message: `${JSON.stringify(excerpt(subject))} to ${first?.address ?? 'no one'}${others}: matches` };
}

function describeMiss({ id, subject, to, failed }: NearMiss): ErrorDetail {
  const reasons = failed.map(({ condition, actual }) => `${condition} does not match: ${actual}`).join('; ');
  return { path: id, message: `${JSON.stringify(excerpt(subject))} to ${excerpt(to)}: ${reasons}` };
}
