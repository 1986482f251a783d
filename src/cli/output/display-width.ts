/** How many columns of a terminal a text takes. */

/** Printable ASCII, where every character takes one. */
const PLAIN = /^[\x20-\x7e]*$/;
/** Blocks whose characters take two columns. https://www.unicode.org/reports/tr11/ */
const WIDE = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
] as const;
const EMOJI = /^\p{Emoji_Presentation}|\ufe0f/u;
/** Marks that stand on another character, and what is not seen at all. */
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;

export function displayWidth(text: string): number {
  return widthUpTo(text, Infinity);
}

/** The text if it fits, else its beginning and an ellipsis. */
export function shorten(text: string, width: number): string {
  if (widthUpTo(text, width) <= width) return text;
  if (width <= 0) return '';
  let kept = '';
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    used += graphemeWidth(grapheme);
    if (used > width - 1) break;
    kept += grapheme;
  }
  return `${kept}…`;
}

/** Returns the width of a text; of one that is wider than `most`, some width above it, without reading all of it. */
export function widthUpTo(text: string, most: number): number {
  if (text.length > most ? PLAIN.test(text.slice(0, most + 1)) : PLAIN.test(text))
    return Math.min(text.length, most + 1);
  let width = 0;
  for (const grapheme of graphemesOf(text)) {
    width += graphemeWidth(grapheme);
    if (width > most) break;
  }
  return width;
}

/** The most UTF-16 code units that a column of a terminal has use for: a family of emoji has 25 in two columns. */
const COLUMN_UNITS = 32;

/** Cuts off what a line of so many columns has no room for, before anybody measures it. */
export function cutFor(columns: number, text: string): string {
  return text.slice(0, columns * COLUMN_UNITS);
}

/** Segmenting takes time that grows with the square of a text's length, so a long text is segmented piece by piece. */
const PIECE_UNITS = 512;
/** A character that ends so near to the end of a piece may go on in the next one. */
const MARGIN_UNITS = 64;

/**
 * What a reader takes for one character: an emoji of a family is one, however many it is made of. A character that is longer
 * than a piece is several.
 */
function* graphemesOf(text: string): Generator<string> {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  let start = 0;
  while (start < text.length) {
    const piece = text.slice(start, start + PIECE_UNITS);
    const graphemes = Array.from(segmenter.segment(piece), ({ segment }) => segment);
    const certain = start + piece.length < text.length ? start + piece.length - MARGIN_UNITS : text.length;
    for (const grapheme of graphemes) {
      start += grapheme.length;
      yield grapheme;
      if (start >= certain) break;
    }
  }
}

function graphemeWidth(grapheme: string): number {
  if (EMOJI.test(grapheme)) return 2;
  if (INVISIBLE.test(grapheme)) return 0;
  const code = grapheme.codePointAt(0) ?? 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}
