import { formatDuration } from './durations.js';
import { parseQuery } from './query/parse-query.js';
import { conditionsOf } from './query/query.js';

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

/** Why a server cannot keep the emails of a query. */
export interface KeepIfProblem {
  message: string;
  hint: string;
  /** Where the query has the problem, as in a `QueryError`; undefined for the whole query. */
  at?: { position: number; detail: string };
}

export const KEEP_IF_FLAG = '--keep-if';

/**
 * Returns the problem of the query of emails to keep; undefined if it has none. The flag's name is in the messages.
 * @throws QueryError for its syntax.
 */
export function keepIfProblem({ keep, maxAgeMs, keepIf }: Retention): KeepIfProblem | undefined {
  if (keepIf === null) return undefined;
  if (keepIf.trim() === '') {
    return { message: `${KEEP_IF_FLAG} must not be empty.`, hint: 'Leave --keep and --max-age out to keep all.' };
  }
  const time = conditionsOf(parseQuery(keepIf)).find(({ field }) => field === 'before' || field === 'after');
  if (time) {
    const detail = `"${time.field}:" is not allowed in ${KEEP_IF_FLAG}`;
    return { message: `Invalid query: ${detail}.`, hint: AGE_HINT, at: { position: time.position, detail } };
  }
  if (keep === null && maxAgeMs === null) {
    return { message: `${KEEP_IF_FLAG} requires --keep or --max-age.`, hint: 'Without them, all emails are kept.' };
  }
  return undefined;
}

const AGE_HINT = 'It depends on the service’s clock. Use --max-age for the age of emails.';
