import { expect, it } from 'vitest';
import { InternalErrorLog } from '../../../src/cli/errors/internal-error-log.js';

function printed(error: unknown): string {
  let text = '';
  new InternalErrorLog(
    () => 0,
    (line) => {
      text += line;
    },
  ).report(error, 'req_1');
  return text;
}

it('prints an internal error with the stacks of its causes', () => {
  const first = new TypeError('the first one');
  const text = printed(new Error('the last one', { cause: new Error('the second one', { cause: first }) }));
  expect(text).toMatch(
    /^Internal error in req_1: Error: the last one\n +at .*\nCaused by: Error: the second one\n.*\nCaused by: TypeError: the first one\n +at /s,
  );
});

it('prints a cause that is no error, and ends a chain that is a circle', () => {
  expect(printed(new Error('x', { cause: 'a text' }))).toContain('Caused by: a text');
  const circle = new Error('a circle');
  circle.cause = circle;
  expect(printed(circle).match(/a circle/g)).toHaveLength(5);
});
