import { readRegex } from '../../contract/vocabulary/query/read-regex.js';

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
  const matches = folded.includes('*') ? globMatcher(folded) : (text: string) => text.includes(folded);
  return { find: (text) => (matches(text.toLowerCase()) ? text : undefined) };
}

/** Returns whether texts match a glob as a whole. Takes the first position of each part, so it needs no backtracking. */
function globMatcher(glob: string): (text: string) => boolean {
  const parts = glob.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  const middle = parts.slice(1, -1);
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
