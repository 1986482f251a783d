/** Makes texts comparable without changing their length, so that positions stay valid. */

/** Letters whose plain form is not their first character in Unicode's decomposition. */
const PLAIN = new Map([...'łŁøØæÆœŒıđĐ'].map((letter, index) => [letter, [...'llooaaooidd'][index] ?? letter]));

const LATIN_END = 0x250;
const LATIN_ADDITIONAL = { from: 0x1e00, to: 0x1eff };
/** From a full-width character to its ASCII form. */
const FULL_WIDTH_OFFSET = 0xfee0;
/** Spaces of other widths, and separators between the groups of a code. */
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const HYPHENS = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;

/** Returns a text with ASCII digits, letters, spaces and hyphens instead of full-width and similar ones. */
export function narrowed(text: string): string {
  if (isAscii(text)) return text;
  return text
    .replace(/[\uff0d\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g, (wide) =>
      String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET),
    )
    .replace(SPACES, ' ')
    .replace(HYPHENS, '-');
}

/** Returns whether all characters of a text are ASCII, which need no replacement. */
function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  return !/[^\u0000-\u007f]/.test(text);
}

/** Returns a text in lower case, with Latin letters without accents. */
export function folded(text: string): string {
  // The only letter that takes more characters in lower case.
  const lower = text.replaceAll('\u0130', 'I').toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  return lower.replace(/[^\u0000-\u007f]/g, plain);
}

function plain(letter: string): string {
  const code = letter.charCodeAt(0);
  const isLatin = code < LATIN_END || (code >= LATIN_ADDITIONAL.from && code <= LATIN_ADDITIONAL.to);
  return isLatin ? (PLAIN.get(letter) ?? letter.normalize('NFD').charAt(0)) : letter;
}
