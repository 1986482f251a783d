import type { Clause } from '../clauses.js';
import type { Message } from './message.js';
import { Terms } from './terms.js';

/** Rows above a number that may be the heading of its table. */
const ROWS_MAX = 12;

/** Returns the row above that names a one-time code in the column of a position, if that is the heading. */
export function headingOf(message: Message, index: number, start: number): Clause | undefined {
  const own = message.clauses[index]?.clause;
  const column = columnAt(own?.text ?? '', start);
  if (column === 0) return undefined;
  for (let at = index - 1; at >= Math.max(0, index - ROWS_MAX); at -= 1) {
    const clause = message.clauses[at]?.clause;
    const cell = clause?.folded.split('\t')[column];
    if (!clause || cell === undefined) return undefined;
    if (!/\d/.test(cell)) return new Terms({ folded: cell }).namesCode ? clause : undefined;
  }
  return undefined;
}

function columnAt(text: string, position: number): number {
  return text.slice(0, position).split('\t').length - 1;
}
