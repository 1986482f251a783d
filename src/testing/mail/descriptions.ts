import { nearMissLines } from '../../client/checks/near-misses.js';
import { emailInWords } from '../../client/checks/wording.js';
import type { CapturedEmail, NearMiss } from '../../client/operations.js';
import { formatDuration } from '../../contract/vocabulary/parsers/duration.js';

/** Words the errors of waits. */

/** What a wait looked for. */
export interface Wanted {
  address: string | undefined;
  query: string;
}

export interface Timeout extends Wanted {
  timeout: number;
  count: number;
  /** Number of emails that matched. */
  found: number;
  nearMisses: readonly NearMiss[];
}

export function describeTimeout({ timeout, count, found, nearMisses, ...search }: Timeout): string {
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

export function describeAbsenceFailure(wanted: Wanted, emails: readonly CapturedEmail[]): string {
  const lines = emails.slice(0, 5).map((email) => `  ${emailInWords(email)}`);
  return ['An email matches, and none should.', '', ...describeSearch(wanted), '', 'It matches:', ...lines].join('\n');
}

function describeSearch({ address, query }: Wanted): string[] {
  const inbox = address === undefined ? [] : [`Inbox: ${address}`];
  return [...inbox, `Query: ${query === '' ? 'any email' : query}`];
}
