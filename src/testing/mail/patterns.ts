import type { TextPattern } from '../api/emails.js';

/** Returns whether a value is a regular expression, also one of another realm, as in jest. */
export function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]';
}

/** @throws TypeError for a pattern that is neither a string nor a regular expression. */
export function checkPattern(pattern: unknown): asserts pattern is TextPattern {
  if (typeof pattern === 'string' || isRegExp(pattern)) return;
  throw new TypeError(`A pattern must be a string or a regular expression, not ${JSON.stringify(pattern)}.`);
}

/** Returns whether a text has this part, ignoring case, or matches this regular expression. */
export function matchesPattern(text: string, pattern: TextPattern): boolean {
  if (typeof pattern === 'string') return text.toLowerCase().includes(pattern.toLowerCase());
  // A global or sticky expression starts where it stopped; a test may use it several times.
  pattern.lastIndex = 0;
  const found = pattern.test(text);
  pattern.lastIndex = 0;
  return found;
}
