/** Divides the screen into panes. */

/** Minimum size: smaller terminals are unreadable. */
export const MIN_COLUMNS = 40;
export const MIN_ROWS = 10;
/** Minimum width to show all four panes. Below it, only the focused pane is visible. */
const GRID_COLUMNS = 100;
const GRID_ROWS = 20;

const FOOTER_ROWS = 2;
const TITLE_ROWS = 1;
/** Rows left empty at the end: a terminal scrolls when its last row is written. */
export const SPARE_ROWS = 1;

export interface Layout {
  /** Rows between header and footer. */
  body: number;
  /** Whether all panes are visible. */
  grid: boolean;
  /** Rows of a list without its title: of the upper two panes and of the lower two in the grid. */
  lists: [number, number];
  /** Columns of a pane. */
  columns: number;
}

/** Returns the layout; undefined when the terminal is too small. */
export function layOutScreen(
  { columns, rows }: { columns: number; rows: number },
  headerRows: number,
): Layout | undefined {
  if (columns < MIN_COLUMNS || rows < MIN_ROWS) return undefined;
  const body = rows - headerRows - FOOTER_ROWS - SPARE_ROWS;
  const grid = columns >= GRID_COLUMNS && rows >= GRID_ROWS;
  const upper = grid ? Math.ceil(body / 2) : body;
  return {
    body,
    grid,
    lists: [upper - TITLE_ROWS, body - upper - TITLE_ROWS],
    columns: grid ? Math.floor((columns - GAP) / 2) : columns,
  };
}

/** Columns between panes that are side by side. */
export const GAP = 2;
