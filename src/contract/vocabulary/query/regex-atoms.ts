/** An escape, a class of characters, a counted repetition, or one character. */
const ATOM = /\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[\s\S]/g;

/** Splits a regular expression in RE2's syntax. Each part has the numbers of a counted repetition as groups. */
export function atomsOf(source: string): RegExpStringIterator<RegExpExecArray> {
  return source.matchAll(ATOM);
}
