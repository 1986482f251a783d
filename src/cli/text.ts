/** Text for a terminal. */

// Control characters, and those that turn the direction of writing: text of mails and servers may hold them to deceive.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of several lines, safe to print. */
export function safeText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(UNSAFE, '');
}

/** Text for one line, safe to print. */
export function oneLine(text: string): string {
  return safeText(text).replace(/[\n\t]+/g, ' ');
}

/** JSON, safe to print: what would reach a terminal as a control character is escaped, and means the same. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Columns of text, each as wide as its widest cell; the last is left as it is. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return rowWriter(header)(rows);
}

/** A table that is written bit by bit: the first rows decide how wide the columns are, and have the header above them. */
export function rowWriter(header: readonly string[]): (rows: readonly (readonly string[])[]) => string {
  let widths: number[] | undefined;
  return (rows) => {
    const clean = rows.map((row) => row.map(oneLine));
    const lines = widths ? clean : [header, ...clean];
    widths ??= widthsOf(lines, header.length);
    return layOut(lines, widths);
  };
}

function widthsOf(lines: readonly (readonly string[])[], columns: number): number[] {
  return Array.from({ length: columns }, (_, column) =>
    lines.reduce((widest, line) => Math.max(widest, [...(line[column] ?? '')].length), 0),
  );
}

function layOut(lines: readonly (readonly string[])[], widths: readonly number[]): string {
  const pad = (cell: string, column: number) =>
    column === widths.length - 1 ? cell : cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length));
  return lines.map((line) => `${line.map(pad).join('  ')}\n`).join('');
}
