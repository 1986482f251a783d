import type { CapturedEmail, NearMiss } from '../../contract/control/emails/captured-email.js';
import { readSince } from '../../contract/vocabulary/parsers/since.js';
import { quote } from './check.js';

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

/** Returns how to include emails before the window, the usual reason that none is found; empty if it has all. */
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
