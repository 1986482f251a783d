/** Defines which characters a text may or must contain (gap 43). */

/** Control characters (C0, DEL and C1), and the two line ends of Unicode. */
export const CONTROL_CHARACTER = /[\p{Cc}\u2028\u2029]/u;
export const NO_CONTROL_CHARACTER = /^[^\p{Cc}\u2028\u2029]*$/u;

/** A character that is not white space, a control character or an invisible format character. */
export const VISIBLE_CHARACTER = /[^\s\p{Cc}\p{Cf}]/u;

/** Text without white space at its start and its end. */
export const TRIMMED = /^\S(?:[\s\S]*\S)?$/u;
