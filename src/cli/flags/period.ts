import type { Interfaces } from '@oclif/core';
import { readDateBound } from '../../contract/vocabulary/parsers/instant.js';
import { UsageError } from '../errors/exit-codes.js';
import { fills } from './request-field.js';
import { dateFlag } from './values/value-types.js';

/** Declares the flags for the period of a list or a count. The defaults differ, so each command describes its own. */
export function periodFlags(descriptions: { since: string; until: string }) {
  return {
    since: fills('from_date', dateFlag({ description: descriptions.since })),
    until: fills('to_date', dateFlag({ description: descriptions.until })),
  };
}

/** Checks the order of the dates. @throws UsageError when the period ends before it begins. */
export function checkPeriod({ since, until }: Interfaces.InferredFlags<ReturnType<typeof periodFlags>>): void {
  const first = since && readDateBound(since, 'first');
  const last = until && readDateBound(until, 'last');
  if (first && last && first > last) throw new UsageError('--since must not be later than --until.');
}
