import { readRegex } from '../../contract/vocabulary/query/regex.js';
import { matchesParts } from '../../contract/vocabulary/text.js';

/** A compiled pattern: part of a text, a glob or a regular expression. */
export interface TextPattern {
  /** Returns the part of the text that matches; undefined if none does. */
  find(text: string): string | undefined;
}

/** A regular expression is invalid, or its syntax is unsupported. */
export class PatternError extends Error {
  override readonly name = 'PatternError';

  /** `problem` is a part of a message, without a full stop. */
  constructor(readonly problem: string) {
    super(`The regular expression is invalid: ${problem}.`);
  }
}

/**
 * Compiles a regular expression that takes linear time on any text.
 * @throws PatternError if it is invalid.
 */
export async function regexPattern(source: string, ignoreCase: boolean): Promise<TextPattern> {
  const { RE2JS } = await import('re2js');
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return {
      find(text) {
        const matcher = compiled.matcher(text);
        return matcher.find() ? (matcher.group() ?? '') : undefined;
      },
    };
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, '');
    throw new PatternError(`invalid regular expression /${source}/ (${reason})`);
  }
}

/**
 * Compiles a pattern for URLs and names: `/REGEX/`, a glob of the whole text if it has a `*`, else a part of the text.
 * Globs and parts ignore case.
 * @throws PatternError for an invalid regular expression.
 */
export async function textPattern(pattern: string): Promise<TextPattern> {
  const regex = readRegex(pattern);
  if (regex) return regexPattern(regex.source, regex.ignoreCase);
  const folded = pattern.toLowerCase();
  const parts = folded.split('*');
  const matches = (text: string) => (parts.length > 1 ? matchesParts(parts, text) : text.includes(folded));
  return { find: (text) => (matches(text.toLowerCase()) ? text : undefined) };
}
