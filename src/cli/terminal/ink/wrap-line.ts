/** From here on, characters may be two columns wide. */
const FIRST_WIDE = 0x1100;
const TAB = '  ';

/** A line as lines that are no wider than so many columns. */
export function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  let columns = 0;
  for (const character of line.replaceAll('\t', TAB)) {
    const wide = (character.codePointAt(0) ?? 0) >= FIRST_WIDE ? 2 : 1;
    if (columns + wide > width) {
      lines.push(current);
      current = '';
      columns = 0;
    }
    current += character;
    columns += wide;
  }
  return [...lines, current];
}
