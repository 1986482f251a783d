import { formatDuration } from '../parsers/duration.js';

/** The emails that a server keeps; it deletes older ones by itself. */
export interface Retention {
  /** The number of emails to keep, the newest; null for all. */
  keep: number | null;
  /** The age at which emails are deleted, in milliseconds on the machine's clock; null for none. */
  maxAgeMs: number | null;
  /** A query. Emails that match it are kept regardless of their number and age. Null for none. */
  keepIf: string | null;
}

/** Describes the emails that a server keeps; undefined if it keeps all. */
export function describeRetention({ keepIf, ...limits }: Retention): string | undefined {
  const limited = describeLimits(limits);
  return limited === undefined || keepIf === null ? limited : `${limited}, and those that match: ${keepIf}`;
}

function describeLimits({ keep, maxAgeMs }: Omit<Retention, 'keepIf'>): string | undefined {
  const newest =
    keep === null ? undefined : keep === 1 ? 'the newest email' : `the newest ${keep.toLocaleString('en')} emails`;
  const age = maxAgeMs === null ? undefined : formatDuration(maxAgeMs);
  if (newest === undefined) return age && `emails of the last ${age}`;
  return age === undefined ? newest : `${newest} of the last ${age}`;
}
