import type { CapturedEmail, NearMiss } from '../../client/operations.js';
import { formatDuration } from '../../contract/vocabulary/parsers/duration.js';

/** Words the errors of waits. */

export interface Timeout {
  query: string;
  timeout: number;
  count: number;
  /** Number of emails that matched. */
  found: number;
  nearMisses: readonly NearMiss[];
}

export function describeTimeout({ query, timeout, count, found, nearMisses }: Timeout): string {
  const wanted = count === 1 ? 'an email' : `${count} emails, ${found} matched`;
  const lines = [`Timed out after ${formatDuration(timeout)} waiting for ${wanted}.`, '', describeQuery(query), ''];
  if (nearMisses.length === 0) {
    lines.push(found === 0 ? 'No email arrived.' : 'No other email arrived.');
  } else {
    lines.push('These emails arrived and do not match, closest first:', ...nearMisses.flatMap(describeNearMiss));
  }
  return lines.join('\n');
}

export function describeAbsenceFailure(query: string, emails: readonly CapturedEmail[]): string {
  const lines = emails.slice(0, 5).map((email) => `  ${summaryOf(email)}`);
  return [`An email matches, and none should.`, '', describeQuery(query), '', 'It matches:', ...lines].join('\n');
}

/** Returns sender, recipients, subject and ID in one line. */
export function summaryOf({ from, recipients, subject, id }: CapturedEmail): string {
  const to = recipients.map(({ address }) => address).join(', ');
  return `${JSON.stringify(subject)} from ${from} to ${to} (${id})`;
}

function describeQuery(query: string): string {
  return query === '' ? 'Query: any email' : `Query: ${query}`;
}

function describeNearMiss({ id, from, to, subject, failed }: NearMiss): string[] {
  return [
    `  ${JSON.stringify(subject)} from ${from} to ${to} (${id})`,
    ...failed.map(({ condition, actual }) => `    ✗ ${condition}  found: ${actual}`),
  ];
}
