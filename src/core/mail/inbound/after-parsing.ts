import type { Core } from '../../context.js';

/** Wraps a handler of one email. It runs when the message is parsed, or the wait for it is over. */
export function afterParsing<Input extends { params: { id: string } }, Context extends Pick<Core, 'parsed'>, Result>(
  handler: (input: Input, context: Context) => Promise<Result>,
): (input: Input, context: Context) => Promise<Result> {
  return async (input, context) => {
    await context.parsed(input.params.id);
    return handler(input, context);
  };
}

/** Wraps a handler of many emails that must not miss what a message contains. It runs when all are parsed. */
export function afterAllParsing<Input, Context extends Pick<Core, 'parsePending'>, Result>(
  handler: (input: Input, context: Context) => Promise<Result>,
): (input: Input, context: Context) => Promise<Result> {
  return async (input, context) => {
    await context.parsePending();
    return handler(input, context);
  };
}
