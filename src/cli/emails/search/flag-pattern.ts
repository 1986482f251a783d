import { PatternError, type TextPattern } from '../../../client/checks/text-pattern.js';
import { UsageError } from '../../errors/exit-codes.js';

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
