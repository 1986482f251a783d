import type { Condition, Pattern } from '../../contract/vocabulary/query/query.js';
import { placeWithin, QueryError, quotedPart } from '../../contract/vocabulary/query/query-error.js';
import { REGEX_SIZE_MAX, regexSize, tooLarge } from '../../contract/vocabulary/query/regex-size.js';

/** Compiles the regular expressions of a query with RE2, whose time grows with the length of the text only. */

type Regex = Extract<Pattern, { kind: 'regex' }>;

/** Characters of each text that a regular expression reads. With REGEX_SIZE_MAX, this limits the time for one email. */
const REGEX_TEXT_CHARACTERS = 200_000;

const LOOK_HINT =
  'Lookahead, lookbehind and backreferences are not supported. Use several conditions, and - to negate one.';

export type Test = (text: string) => boolean;

export class RegularExpressions {
  #size = 0;

  /** Returns a function that tests a text for a match. @throws QueryError if the regular expression is invalid. */
  async compile(condition: Condition, { source, ignoreCase }: Regex): Promise<Test> {
    const start = condition.source.indexOf('/') + 1;
    this.#size += regexSize(source);
    if (this.#size > REGEX_SIZE_MAX) throw tooLarge(condition);
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
