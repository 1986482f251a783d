import { parseQuery } from '../../contract/vocabulary/query/parse-query.js';
import { checkQuery, conditionsOf } from '../emails/search/check-query.js';
import { QueryUsageError, UsageError } from '../errors/exit-codes.js';

/** Checks the query of emails that a server keeps. */

const FLAG = '--keep-if';

interface RetentionFlags {
  keep?: number | undefined;
  'max-age'?: string | undefined;
  'keep-if'?: string | undefined;
}

/** @throws UsageError for a query without effect, and QueryUsageError with the position of a problem. */
export async function checkKeepIf({ keep, 'max-age': maxAge, 'keep-if': query }: RetentionFlags): Promise<void> {
  if (query === undefined) return;
  if (query.trim() === '')
    throw new UsageError(`${FLAG} must not be empty.`, 'Leave --keep and --max-age out to keep all.');
  await checkQuery(FLAG, query);
  const time = conditionsOf(parseQuery(query)).find(({ field }) => field === 'before' || field === 'after');
  if (time) {
    const detail = `"${time.field}:" is not allowed in ${FLAG}`;
    const { position } = time;
    throw new QueryUsageError(`Invalid query: ${detail}.`, AGE_HINT, { flag: FLAG, query, position, detail });
  }
  if (keep === undefined && maxAge === undefined) {
    throw new UsageError(`${FLAG} requires --keep or --max-age.`, 'Without them, all emails are kept.');
  }
}

const AGE_HINT = 'It depends on the service’s clock. Use --max-age for the age of emails.';
