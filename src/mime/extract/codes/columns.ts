import type { Clause } from '../clauses.js';
import type { Message } from './message.js';
import { Terms } from './terms.js';

/** Rows above a number that may be the heading of its table. */
const ROWS_MAX = 12;

/** Returns the row above that names a one-time code in the column of a position, if that is the heading. */
export function headingOf(message: Message, index: number, start: number): Clause | undefined {
  const own = message.clauses[index]?.clause;
  const column = columnAt(own?.text ?? '', start);
  for (let at = index - 1; at >= Math.max(0, index - ROWS_MAX); at -= 1) {
    const clause = message.clauses[at]?.clause;
    const cells = clause?.folded.split('\t') ?? [];
    const cell = cells[column];
    if (!clause || cell === undefined || cells.length === 1) return undefined;
    if (/\d/.test(cell)) continue;
    return new Terms({ folded: cell }).named.some(({ kind }) => kind === 'code') ? clause : undefined;
  }
  return undefined;
}

function columnAt(text: string, position: number): number {
  return text.slice(0, position).split('\t').length - 1;
}
