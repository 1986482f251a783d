import { PatternError, regexPattern } from '../../../client/checks/text-pattern.js';
import { parseQuery } from '../../../contract/vocabulary/query/parse-query.js';
import { type Condition, conditionsOf } from '../../../contract/vocabulary/query/query.js';
import { QueryError } from '../../../contract/vocabulary/query/query-error.js';
import { QueryUsageError } from '../../errors/exit-codes.js';

/**
 * Checks a query before it is sent. `flag` is the flag that has it.
 * @throws QueryUsageError with the position of the problem.
 */
export async function checkQuery(flag: string, query: string): Promise<void> {
  try {
    for (const condition of conditionsOf(parseQuery(query))) await checkRegex(condition);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { position, message, detail, hint } = error;
    throw new QueryUsageError(message, hint, { flag, query, position, detail });
  }
}

/** Compiles a regular expression, because its syntax is not part of the grammar. */
async function checkRegex(condition: Condition): Promise<void> {
  if (!('pattern' in condition) || condition.pattern.kind !== 'regex') return;
  const { source, ignoreCase } = condition.pattern;
  try {
    await regexPattern(source, ignoreCase);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new QueryError(condition, error.problem, 'RE2’s syntax, which has no lookahead or lookbehind');
  }
}
