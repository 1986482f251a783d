import { cutFor, displayWidth, shorten } from '../output/display-width.js';
import { oneLine } from '../output/text.js';
import type { Column } from './panes/pane.js';

/** Divides the screen into the list and the preview. */

/** Minimum size: smaller terminals are unreadable. */
export const MIN_COLUMNS = 40;
export const MIN_ROWS = 10;
/** Minimum width to show the details of the selected row next to the list. */
const PREVIEW_COLUMNS = 120;
/** The list's share of the width, next to a preview. */
const LIST_SHARE = 0.56;

const HEADER_ROWS = 2;
const FOOTER_ROWS = 2;
/** Rows and columns of a panel's frame. */
const FRAME = 2;
const COLUMN_TITLES = 1;
/** Rows left empty at the end: a terminal scrolls when its last row is written. */
export const SPARE_ROWS = 1;

export interface Layout {
  /** Rows between header and footer. */
  body: number;
  /** Rows inside a panel. */
  lines: number;
  /** Rows of the list. */
  list: number;
  /** Columns of the list with its frame. */
  listColumns: number;
  /** Columns of the preview with its frame; undefined if only one panel fits. */
  previewColumns: number | undefined;
}

/** Returns the layout; undefined when the terminal is too small. */
export function layOutScreen({ columns, rows }: { columns: number; rows: number }): Layout | undefined {
  if (columns < MIN_COLUMNS || rows < MIN_ROWS) return undefined;
  const body = rows - HEADER_ROWS - FOOTER_ROWS - SPARE_ROWS;
  const lines = body - FRAME;
  const previewed = columns >= PREVIEW_COLUMNS;
  const listColumns = previewed ? Math.floor(columns * LIST_SHARE) : columns;
  return {
    body,
    lines,
    list: lines - COLUMN_TITLES,
    listColumns,
    previewColumns: previewed ? columns - listColumns : undefined,
  };
}

/** Returns the columns inside a panel. */
export function innerColumns(columns: number): number {
  return columns - FRAME;
}

/** Lays out the columns of a pane. */

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
