import { KEEP_IF_FLAG, keepIfProblem, type Retention } from '../../../contract/vocabulary/retention.js';
import { QueryUsageError, UsageError } from '../../errors/exit-codes.js';
import { checkQuery } from '../../flags/values/query.js';

/**
 * Checks the query of emails that a server keeps.
 * @throws UsageError for a query without effect, and QueryUsageError with the position of a problem.
 */
export async function checkKeepIf(retention: Retention): Promise<void> {
  const query = retention.keepIf;
  if (query === null) return;
  await checkQuery(KEEP_IF_FLAG, query);
  const problem = keepIfProblem(retention);
  if (!problem) return;
  const { message, hint, at } = problem;
  throw at ? new QueryUsageError(message, hint, { flag: KEEP_IF_FLAG, query, ...at }) : new UsageError(message, hint);
}
