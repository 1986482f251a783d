import { isAscii } from './domains.js';

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

/** Returns the number of characters of a text, in Unicode code points. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Returns whether a text has at most this many characters. Counts them only if its UTF-16 length leaves it open. */
export function isUpToCharacters(text: string, max: number): boolean {
  return text.length <= max || (text.length <= max * 2 && characterCount(text) <= max);
}

/** Returns the number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair takes four bytes, two for each of its units. A lone surrogate is encoded as U+FFFD in three bytes.
    bytes += unit < 0x800 || isPaired(text, index) ? 1 : 2;
  }
  return bytes;
}

function isPaired(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdfff) return false;
  const [first, second] = unit < 0xdc00 ? [unit, text.charCodeAt(index + 1)] : [text.charCodeAt(index - 1), unit];
  return first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second <= 0xdfff;
}

/**
 * Returns a text without the characters of `unwanted` at its end. A regular expression such as /x+$/ would take
 * quadratic time.
 */
export function trimEndOf(text: string, unwanted: string): string {
  let end = text.length;
  while (end > 0 && unwanted.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Returns a text without the characters of `unwanted` at its start and at its end. */
export function trimOf(text: string, unwanted: string): string {
  let start = 0;
  while (start < text.length && unwanted.includes(text.charAt(start))) start += 1;
  return trimEndOf(text.slice(start), unwanted);
}

/** Maximum number of characters of a name that a message of the API quotes. */
const NAME_CHARACTERS = 256;

/** Returns a text cut to a length, with an ellipsis if something was cut off. */
export function shortened(text: string, characters = NAME_CHARACTERS): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}…`;
}

/** Returns the line and the column of an index in a text, counted from 1. */
export function textPosition(text: string, index: number): { line: number; column: number } {
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/**
 * Returns the form in which searches compare texts: without case, and with each run of white space as one space. Every
 * evaluator of a query uses it, so that all find the same emails.
 */
export function searchForm(text: string): string {
  const spaced = text.replace(/\s{2,}|[^\S ]/g, ' ');
  const lower = spaced.toLowerCase();
  // Upper case has no special forms: ß is SS, and a final sigma is a sigma.
  return isAscii(lower)
    ? lower
    : lower
        .toUpperCase()
        .toLowerCase()
        .replace(/\u03c2/g, '\u03c3')
        .normalize('NFC');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for HTML, also for the values of attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Maximum number of items to name. */
const NAMED_MAX = 3;

/** Lists the first items, and the number of the others: `a, b, c and 4 more`. Without `isComplete`: `a, b, c and more`. */
export function firstFew(items: readonly string[], isComplete = true): string {
  const named = items.slice(0, NAMED_MAX).join(', ');
  if (items.length <= NAMED_MAX) return named;
  return isComplete ? `${named} and ${items.length - NAMED_MAX} more` : `${named} and more`;
}

/** Returns `1 image`, `2 images`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns whether a text consists of the parts of a glob in their order, with any text between them. */
export function matchesParts([first = '', ...others]: readonly string[], text: string): boolean {
  const last = others.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  // Matching each part as far left as possible leaves the most text for the parts after it.
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
