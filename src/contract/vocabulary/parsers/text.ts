/** Defines which characters a text may or must contain (gap 43). */

/** Control characters (C0, DEL and C1), and the two line ends of Unicode. */
export const CONTROL_CHARACTER = /[\p{Cc}\u2028\u2029]/u;
export const NO_CONTROL_CHARACTER = /^[^\p{Cc}\u2028\u2029]*$/u;

/** A character that is not white space, a control character or an invisible format character. */
export const VISIBLE_CHARACTER = /[^\s\p{Cc}\p{Cf}]/u;

/** Text without white space at its start and its end. */
export const TRIMMED = /^\S(?:[\s\S]*\S)?$/u;

/**
 * Returns these rules as one pattern for the API description: a visible character, no control character, and none of
 * `without`. It takes linear time.
 */
export function linePattern({ without = '', trimmed = false } = {}): string {
  const character = String.raw`[^\p{Cc}\u2028\u2029${without}]`;
  const visible = String.raw`[^\s\p{Cc}\p{Cf}${without}]`;
  const blank = String.raw`[\p{Zs}\p{Cf}]`;
  if (!trimmed) return `^${blank}*${visible}${character}*$`;
  const outer = String.raw`[^\s\p{Cc}${without}]`;
  return `^(?:${outer}${blank}*)?${visible}(?:${character}*${outer})?$`;
}
