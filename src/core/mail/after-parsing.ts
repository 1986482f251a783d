import type { Core } from '../context.js';

/**
 * Wraps the handler of a call that reads mail: it runs once every message accepted so far is listed, so that a client finds
 * what was acknowledged before.
 */
export function afterParsing<Input, Context extends Pick<Core, 'parsePending'>, Result>(
  handler: (input: Input, context: Context) => Promise<Result>,
): (input: Input, context: Context) => Promise<Result> {
  return async (input, context) => {
    await context.parsePending();
    return handler(input, context);
  };
}
