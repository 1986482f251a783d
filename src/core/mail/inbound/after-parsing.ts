import type { Core } from '../../context.js';

/**
 * Wraps a handler that reads email. It runs once every message accepted so far is listed, so that a client finds each
 * message that SMTP has acknowledged.
 */
export function afterParsing<Input, Context extends Pick<Core, 'parsePending'>, Result>(
  handler: (input: Input, context: Context) => Promise<Result>,
): (input: Input, context: Context) => Promise<Result> {
  return async (input, context) => {
    await context.parsePending();
    return handler(input, context);
  };
}
