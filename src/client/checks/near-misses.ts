import type { NearMiss } from '../../contract/control/emails/captured-email.js';
import { quote } from './check.js';

/** Returns lines about emails that almost matched: each email, then the conditions that it failed, indented. */
export function nearMissLines(nearMisses: readonly NearMiss[]): string[] {
  return nearMisses.flatMap(({ id, to, subject, failed }) => [
    `${id} to ${to}: ${quote(subject)}`,
    ...failed.map(({ condition, actual }) => `  ${condition}  found: ${actual.replace(/\s+/g, ' ')}`),
  ]);
}
