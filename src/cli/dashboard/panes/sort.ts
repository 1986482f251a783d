import type { Column } from './columns.js';
import { type Row, textOf } from './pane.js';

/** Sorts the rows of a pane by a column. */

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Returns the rows in the order of a column. Rows with the same cell keep their order, the newest first. */
export function sortedRows(rows: readonly Row[], column: number): readonly Row[] {
  return rows.toSorted((a, b) => compare(textOf(a.cells[column]).slice(0, KEY), textOf(b.cells[column]).slice(0, KEY)));
}

/** Characters of a cell that determine its position. */
const KEY = 100;

/** Returns the column to sort by after this one; undefined for the order of time. */
export function nextSort(columns: readonly Column[], sort: number | undefined): number | undefined {
  const next = columns.findIndex((column, index) => column.sort === true && index > (sort ?? -1));
  return next === -1 ? undefined : next;
}
