import type { Condition } from './query.js';
import { placeWithin, QueryError } from './query-error.js';

/** Maximum size of a query's regular expressions, in steps for each character of a text. */
export const REGEX_SIZE_MAX = 1_000;

/** Returns the error for the condition whose regular expression exceeds the size. */
export function tooLarge(condition: Condition): QueryError {
  return new QueryError(
    placeWithin(condition, condition.source.indexOf('/') + 1),
    'regular expression is too large',
    `at most ${REGEX_SIZE_MAX} characters and repetitions in all`,
  );
}

/**
 * Estimates the size of a compiled regular expression before it is compiled: counted repetitions multiply what they
 * repeat. RE2 limits that too, but far above what is fast.
 */
export function regexSize(source: string): number {
  const groups = [0];
  let last = 0;
  const add = (size: number) => {
    last = size;
    groups.push((groups.pop() ?? 0) + size);
  };
  // A quotation could hide a repetition from the estimate.
  if (source.includes('\\Q')) return Number.POSITIVE_INFINITY;
  for (const [atom, min, max] of atomsOf(source)) {
    if (min !== undefined) add(last * Math.max(Number(min), Number(max ?? 0), 1));
    else if (atom === '(') groups.push(0);
    else if (atom === ')') add(groups.length > 1 ? (groups.pop() ?? 0) : 1);
    else if (!'*+?|'.includes(atom)) add(1);
  }
  return groups.reduce((sum, size) => sum + size, 0);
}

/** An escape, a class of characters, a counted repetition, or one character. */
const ATOM = /\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[\s\S]/g;

/** Splits a regular expression in RE2's syntax. Each part has the numbers of a counted repetition as groups. */
export function atomsOf(source: string): RegExpStringIterator<RegExpExecArray> {
  return source.matchAll(ATOM);
}

/** Reads `/SOURCE/` or `/SOURCE/i`, the form of a regular expression in a flag; undefined for another text. */
export function readRegex(text: string): { source: string; ignoreCase: boolean } | undefined {
  const [, source, flags] = /^\/(.+)\/(i?)$/s.exec(text) ?? [];
  return source === undefined ? undefined : { source, ignoreCase: flags === 'i' };
}
