import { readDuration } from '../../contract/vocabulary/durations.js';
import { readDateBound } from '../../contract/vocabulary/instants.js';
import { UsageError } from '../errors/exit-codes.js';
import { fills } from './request-field.js';
import { pastTimeFlag, timeBefore } from './values/value-types.js';

/** Declares the flags for the period of a list or a count. The defaults differ, so each command describes its own. */
export function periodFlags(descriptions: { since: string; until: string }) {
  return {
    since: fills('from_date', pastTimeFlag({ description: descriptions.since })),
    until: fills('to_date', pastTimeFlag({ description: descriptions.until })),
  };
}

type Period = { since?: string | undefined; until?: string | undefined };

/** Returns the flags with durations replaced by times, for a service whose clock shows `now`. */
export function withPeriodAt<Values extends Period>(values: Values, now: number): Values {
  const { since, until } = values;
  return { ...values, since: since && timeBefore(since, now), until: until && timeBefore(until, now) };
}

/**
 * Checks the order of two dates or of two durations. Only the server, with its clock, can compare one with the other.
 * @throws UsageError when the period ends before it begins.
 */
export function checkPeriod({ since = '', until = '' }: Period): void {
  const [from, to] = [readDuration(since), readDuration(until)];
  const [first, last] = [readDateBound(since, 'first'), readDateBound(until, 'last')];
  const backwards = (from !== undefined && to !== undefined && from < to) || (first && last && first > last);
  if (backwards) throw new UsageError('--since must not be later than --until.');
}
