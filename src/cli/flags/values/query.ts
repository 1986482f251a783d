import { PatternError, regexPattern, type TextPattern } from '../../../client/checks/text-pattern.js';
import { parseQuery } from '../../../contract/vocabulary/query/parse-query.js';
import { type Condition, conditionsOf, type Pattern } from '../../../contract/vocabulary/query/query.js';
import { placeWithin, QueryError } from '../../../contract/vocabulary/query/query-error.js';
import { REGEX_SIZE_MAX, regexSize, tooLarge } from '../../../contract/vocabulary/query/regex.js';
import { QueryUsageError, UsageError } from '../../errors/exit-codes.js';

type Regex = Extract<Pattern, { kind: 'regex' }>;

/**
 * Checks a query before it is sent. `flag` is the flag that has it.
 * @throws QueryUsageError with the position of the problem.
 */
export async function checkQuery(flag: string, query: string): Promise<void> {
  try {
    let size = 0;
    for (const condition of conditionsOf(parseQuery(query))) {
      if (!('pattern' in condition) || condition.pattern.kind !== 'regex') continue;
      size += regexSize(condition.pattern.source);
      if (size > REGEX_SIZE_MAX) throw tooLarge(condition);
      await checkRegex(condition, condition.pattern);
    }
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { position, message, detail, hint } = error;
    throw new QueryUsageError(message, hint, { flag, query, position, detail });
  }
}

/** Checks the values of flags that are patterns or texts. */

/** @throws UsageError for an empty value. */
export function notEmpty(flag: string, text: string): void {
  if (text.trim() === '') throw new UsageError(`${flag} must not be empty.`);
}

/** Compiles the pattern of a flag. @throws UsageError for an invalid regular expression. */
export async function compiled(flag: string, compile: () => Promise<TextPattern>): Promise<TextPattern> {
  try {
    return await compile();
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new UsageError(`${flag}: ${error.problem}.`, 'The syntax is RE2’s, which has no look-around.');
  }
}

/** Compiles a regular expression, because its syntax is not part of the grammar. */
async function checkRegex(condition: Condition, { source, ignoreCase }: Regex): Promise<void> {
  try {
    await regexPattern(source, ignoreCase);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const place = placeWithin(condition, condition.source.indexOf('/'));
    throw new QueryError(place, error.problem, 'RE2’s syntax, which has no lookahead or lookbehind');
  }
}
