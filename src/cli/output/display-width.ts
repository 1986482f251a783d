import { eastAsianWidth } from 'get-east-asian-width';

/** Measures the columns that a text takes on a terminal, and shortens text to a number of columns. */

/** Printable ASCII, where every character takes one column. */
const PLAIN = /^[\x20-\x7e]*$/;
const TAB = '  ';
const EMOJI = /^\p{Emoji_Presentation}|\ufe0f/u;
/** Marks that combine with the character before them, and invisible characters. */
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;

/** Returns the width of a text in columns. */
export function displayWidth(text: string): number {
  return widthUpTo(text, Infinity);
}

/** Returns the text, shortened with an ellipsis if it is wider. */
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

/** A control sequence of svc's own colors. It takes no columns. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences begin with ESC
const STYLE = /(\u001b\[[0-9]+m)/;

/** Wraps a line to the width, after a word where possible. All lines have the indentation of the first. */
export function wrapLine(line: string, width: number): string[] {
  const spaces = line.length - line.trimStart().length;
  const indent = line.startsWith(' ') && spaces < width / 2 ? ' '.repeat(spaces) : '';
  return wrapWords(line.slice(indent.length), width - indent.length).map((each) => indent + each);
}

function wrapWords(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  let used = 0;
  /** The last space of the current line: its position in the text, and the columns up to and including it. */
  let space: { at: number; columns: number } | undefined;
  const add = (grapheme: string, columns: number) => {
    if (used + columns > width && current !== '') {
      const broken = grapheme === ' ' ? undefined : space;
      lines.push(broken ? current.slice(0, broken.at) : current);
      current = broken ? current.slice(broken.at + 1) : '';
      used -= broken ? broken.columns : used;
      space = undefined;
      if (grapheme === ' ') return;
    }
    if (grapheme === ' ' && current.trim() !== '') space = { at: current.length, columns: used + 1 };
    current += grapheme;
    used += columns;
  };
  for (const part of line.replaceAll('\t', TAB).split(STYLE)) {
    if (STYLE.test(part)) current += part;
    else for (const grapheme of graphemesOf(part)) add(grapheme, graphemeWidth(grapheme));
  }
  return [...lines, current];
}

/**
 * Returns the width of a text. For a text wider than `most`, it returns a width above `most` without reading all of it.
 */
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

/** Maximum number of UTF-16 code units that one column can contain: an emoji of a family has 25 in two columns. */
const COLUMN_UNITS = 32;

/** Shortens a text to what can fit the columns at most, before it is measured. */
export function cutFor(columns: number, text: string): string {
  return text.slice(0, columns * COLUMN_UNITS);
}

/**
 * Maximum length of text for Intl.Segmenter, in UTF-16 code units. Its time grows with the square of the length, so
 * longer text is segmented piece by piece. For the same reason, string-width, cli-truncate and wrap-ansi are not used:
 * a subject of 100 KB would take minutes.
 */
const PIECE_UNITS = 512;
/** A character that ends this close to the end of a piece may continue in the next one. */
const MARGIN_UNITS = 64;

/**
 * Yields the characters as a reader sees them: an emoji of a family is one, although it has many code points. A
 * character that is longer than a piece is split.
 */
function* graphemesOf(text: string): Generator<string> {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  if (PLAIN.test(text)) {
    yield* text;
    return;
  }
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
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}
