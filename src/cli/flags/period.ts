import { readDateBound } from '../../contract/vocabulary/parsers/instant.js';
import { UsageError } from '../errors/exit-codes.js';

/**
 * The bounds of a list or a count, from --since and --until.
 * @throws UsageError when nothing can lie between them.
 */
export function readPeriod({ since, until }: { since?: string | undefined; until?: string | undefined }): {
  from_date: string | undefined;
  to_date: string | undefined;
} {
  const first = since && readDateBound(since, 'first');
  const last = until && readDateBound(until, 'last');
  if (first && last && first > last) throw new UsageError('--since must not be later than --until.');
  return { from_date: since, to_date: until };
}
