import { shortened } from '../../contract/vocabulary/helpers/shorten.js';

/** Text for a terminal. */

const CONTROL = '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufff9-\\ufffb]';
// What Unicode calls ignorable, without joiners (200c, 200d) and variation selectors (fe00 to fe0f, e0100 to e01ef).
const IGNORABLE = '(?![\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])\\p{Default_Ignorable_Code_Point}';
const LONE_JOINER =
  '(?<![^\\u0000-\\u007f\\p{Default_Ignorable_Code_Point}]|[^\\u0000-\\u007f]\\ufe0f)[\\u200c\\u200d]';
const LONE_SELECTOR =
  '(?<!\\P{Default_Ignorable_Code_Point})[\\ufe00-\\ufe0f]|(?<!\\p{Ideographic})[\\u{e0100}-\\u{e01ef}]';
/**
 * Characters that a terminal obeys or does not show, and that text of mails and servers may hold to deceive: controls,
 * directions of writing, separators, blanks without width, tags. Kept are a tab, a line feed, a joiner or variation selector
 * after a character that it can belong to (emoji, Arabic, Indic and Han text need them), and nothing else of the kind.
 */
const UNSAFE = new RegExp(`${CONTROL}|${IGNORABLE}|${LONE_JOINER}|${LONE_SELECTOR}`, 'gu');
const SEPARATORS = /[\u2028\u2029]/g;

/** Returns text of several lines that is safe to print. A line or paragraph separator is no line's end to a terminal. */
export function safeText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(SEPARATORS, ' ').replace(UNSAFE, '');
}

/** Text for one line, safe to print. */
export function oneLine(text: string): string {
  return safeText(text).replace(/[\n\t]+/g, ' ');
}

const QUOTED_CHARACTERS = 80;

/** Returns as much of what the user typed as a message has room for. */
export function excerpt(text: string): string {
  return shortened(text, QUOTED_CHARACTERS);
}

/** Returns what the user typed in quotation marks, shortened. */
export function quoted(text: string): string {
  return JSON.stringify(excerpt(text));
}

/** Returns JSON that is safe to print and means the same: characters that `safeText` takes out are escaped. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    Array.from({ length: character.length }, (_, index) => escaped(character.charCodeAt(index))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
