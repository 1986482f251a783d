import type { Condition, Pattern } from '../../contract/vocabulary/query/query.js';
import { QueryError, quotedPart } from '../../contract/vocabulary/query/query-error.js';
import { atomsOf } from '../../contract/vocabulary/query/regex-atoms.js';

/** Compiles the regular expressions of a query with RE2, whose time grows with the length of the text only. */

type Regex = Extract<Pattern, { kind: 'regex' }>;

/** Maximum size of a query's regular expressions, in steps for each character of a text. */
const SIZE_MAX = 1_000;
/** Characters of each text that a regular expression reads. With SIZE_MAX, this limits the time for one email. */
const REGEX_TEXT_CHARACTERS = 200_000;

const LOOK_HINT =
  'Lookahead, lookbehind and backreferences are not supported. Use several conditions, and - to negate one.';

export type Test = (text: string) => boolean;

export class RegularExpressions {
  #size = 0;

  /** Returns a function that tests a text for a match. @throws QueryError if the regular expression is invalid. */
  async compile(condition: Condition, { source, ignoreCase }: Regex): Promise<Test> {
    const start = condition.source.indexOf('/') + 1;
    this.#size += sizeOf(source);
    if (this.#size > SIZE_MAX) {
      throw new QueryError(
        placeWithin(condition, start),
        'regular expression is too large',
        `at most ${SIZE_MAX} characters and repetitions in all`,
      );
    }
    const { RE2JS, RE2JSSyntaxException } = await import('re2js');
    try {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(source), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
      return (text) => compiled.test(text.length > REGEX_TEXT_CHARACTERS ? text.slice(0, REGEX_TEXT_CHARACTERS) : text);
    } catch (error) {
      if (!(error instanceof RE2JSSyntaxException)) throw error;
      throw syntaxError(condition, start, error.error, error.input ?? '');
    }
  }
}

function syntaxError(condition: Condition, start: number, problem: string, part: string): QueryError {
  const found = part === '' ? -1 : condition.source.indexOf(part.replaceAll('/', '\\/'), start);
  const place = placeWithin(condition, found === -1 ? start : found);
  const unsupported = /^\(\?<?[=!]|^\\[1-9k]/.exec(part);
  if (unsupported) {
    return new QueryError(
      place,
      `unsupported ${quotedPart(unsupported[0])} in a regular expression`,
      "RE2's syntax",
      LOOK_HINT,
    );
  }
  const quoted = part === '' ? '' : ` ${quotedPart(part)}`;
  return new QueryError(place, `invalid regular expression (${problem}${quoted})`, "RE2's syntax");
}

function placeWithin({ source, position, column }: Condition, offset: number): { position: number; column: number } {
  return { position: position + offset, column: column + [...source.slice(0, offset)].length };
}

/**
 * Estimates the size of a compiled regular expression before it is compiled: counted repetitions multiply what they
 * repeat. RE2 limits that too, but far above what is fast.
 */
function sizeOf(source: string): number {
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
