import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { parseStyle, parseStyleSheet } from '../../src/mime/checks/css/parse-css.js';

/** Far more than any of these takes. */
const TIME_LIMIT_MS = 5_000;

/** Returns the result of a function, or fails after a while: no timeout of a test ends a loop. */
function inTime<T>(run: () => T): T {
  return runInNewContext('run()', { run }, { timeout: TIME_LIMIT_MS });
}

/** css-tree 3.2.1 does not end the second if the first has a bracket where the second has its end. */
const FIRST = '{}'.repeat(60);
const SECOND = '{}}a{b c';

it('ends for a style sheet after any other', () => {
  const alone = inTime(() => parseStyleSheet(SECOND));
  inTime(() => parseStyleSheet(FIRST));
  expect(inTime(() => parseStyleSheet(SECOND))).toEqual(alone);
});

it('ends for a style sheet after one that could not be parsed', () => {
  inTime(() => parseStyleSheet(`${FIRST}${'{x;}'.repeat(2_000)}`));
  inTime(() => parseStyle(FIRST));
  expect(inTime(() => parseStyleSheet(SECOND))?.type).toBe('StyleSheet');
});

it('leaves out a style sheet with more than 1,000 errors, without an excerpt for each', () => {
  expect(inTime(() => parseStyleSheet(`a{${'x;'.repeat(900)}color:red}`))?.children.size).toBe(1);
  expect(inTime(() => parseStyleSheet(`a{${'x;'.repeat(1_001)}}`))).toBeUndefined();
  // The excerpts of 900 errors of 1 MB would be searched for its lines 900 times.
  const long = `/*${'\n'.repeat(1_000_000)}*/a{${'x;'.repeat(900)}}`;
  expect(inTime(() => parseStyleSheet(long))?.type).toBe('StyleSheet');
});

it('parses styles after one with errors', () => {
  expect(parseStyle('x;y;color:red').map(({ property }) => property)).toEqual(['color']);
  expect(parseStyle('color:red').map(({ property }) => property)).toEqual(['color']);
  expect(parseStyle(`${'x;'.repeat(1_001)}color:red`)).toEqual([]);
});
