/** Makes texts comparable without changing their length, so that positions stay valid. */

/** Letters whose plain form is not their first character in Unicode's decomposition. */
const PLAIN = new Map([...'łøæœıđςیىک’'].map((letter, index) => [letter, [..."loaoidσييك'"][index] ?? letter]));

/** Letters with accents: Latin, Greek and Arabic ones. */
const ACCENTED = /[\u00c0-\u024f\u0370-\u03ff\u0622-\u0626\u1e00-\u1fff]/;
/** From a full-width character to its ASCII form. */
const FULL_WIDTH_OFFSET = 0xfee0;
/** Spaces of other widths, and separators between the groups of a code. */
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const HYPHENS = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;

/** Vowel signs and extenders, which most writers leave out. */
const SIGNS = /[\u0591-\u05c7\u0640\u064b-\u0652\u0670]/g;

/**
 * Returns a text with ASCII digits, letters, spaces and hyphens instead of full-width and similar ones, and without
 * the vowel signs of Arabic and Hebrew.
 */
export function narrowed(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize('NFC')
    .replace(SIGNS, '')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/[\uff0d\uff21-\uff3a\uff41-\uff5a]/g, (wide) =>
      String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET),
    )
    .replace(SPACES, ' ')
    .replace(HYPHENS, '-');
}

/** Returns the value of a digit. The ten digits of a script follow each other in Unicode. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return `${code - zero}`;
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
  return PLAIN.get(letter) ?? (ACCENTED.test(letter) ? letter.normalize('NFD').charAt(0) : letter);
}
