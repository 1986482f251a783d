import { displayWidth, shorten } from '../output/display-width.js';
import { oneLine } from '../output/text.js';

const BEFORE_COLUMNS = 50;
const COLUMNS = 76;

/** Returns the part of a query around a position on one line, and a line with a caret under the position. */
export function pointerLines(query: string, position: number): [text: string, caret: string] {
  const before = oneLine(query.slice(0, position));
  const isCut = displayWidth(before) > BEFORE_COLUMNS;
  const characters = [...before].slice(-BEFORE_COLUMNS);
  while (displayWidth(characters.join('')) > BEFORE_COLUMNS) characters.shift();
  const start = (isCut ? '…' : '') + characters.join('');
  return [shorten(start + oneLine(query.slice(position)), COLUMNS), `${' '.repeat(displayWidth(start))}^`];
}
