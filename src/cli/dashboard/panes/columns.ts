import { cutFor, displayWidth, shorten } from '../../output/display-width.js';
import { oneLine } from '../../output/text.js';

/** Lays out the columns of a pane. */

export interface Column {
  title: string;
  /** Minimum width. */
  width: number;
  /** Share of the width that remains; 0 by default. */
  grow?: number;
  /** Minimum width of the pane to show the column. */
  from?: number;
  /** Whether rows can be sorted by it. */
  sort?: boolean;
}

/** Columns of a pane, with their position among the cells of a row. */
export interface PlacedColumn extends Column {
  index: number;
}

export const COLUMN_GAP = 2;

/** Returns the columns that fit the width, with their final widths. */
export function layOutColumns(columns: readonly Column[], width: number): PlacedColumn[] {
  const shown = columns.map((column, index) => ({ ...column, index })).filter(({ from = 0 }) => width >= from);
  const taken = shown.reduce((sum, column) => sum + column.width, COLUMN_GAP * (shown.length - 1));
  const shares = shown.reduce((sum, { grow = 0 }) => sum + grow, 0);
  const rest = Math.max(0, width - taken);
  let given = 0;
  let counted = 0;
  return shown.map((column) => {
    counted += column.grow ?? 0;
    const upTo = shares === 0 ? 0 : Math.floor((rest * counted) / shares);
    const own = upTo - given;
    given = upTo;
    return { ...column, width: column.width + own };
  });
}

/** Returns text of exactly this width that is safe to print. */
export function fitted(text: string, width: number): string {
  const shown = shorten(oneLine(cutFor(width, text)), width);
  return shown + ' '.repeat(Math.max(0, width - displayWidth(shown)));
}
