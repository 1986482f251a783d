import { colorOf, joined, type Printable, paint } from './color.js';
import { cutFor, displayWidth, shorten, widthUpTo } from './display-width.js';
import { localTime, relativeTime } from './local-time.js';
import { oneLine } from './text.js';

/**
 * Formats tables. On a terminal they fit its width, and times are relative. Elsewhere cells are complete, and times are
 * those of the machine's time zone.
 */

export interface Column {
  title: string;
  /**
   * The importance of the column, 1 for the most important. On a narrow terminal, the column of the highest rank is
   * narrowed first.
   */
  rank: number;
  /**
   * The kind of value. An id is complete, because most commands take no part of one. A short id is narrowed before all
   * other columns, to an ellipsis and its end, which a command that reads the resource takes.
   */
  kind?: 'id' | 'short id' | 'number' | 'status' | 'time';
  /** The width below which the column is useless; less important columns are omitted first. */
  least?: number;
}

export interface View {
  /** Columns of the terminal; null for no limit. */
  width: number | null;
  /** The time that other times are relative to; undefined to print the times themselves. */
  now: string | undefined;
}

type Rows = readonly (readonly string[])[];

const GAP = '  ';
/** The cell of a value that is empty, or that a service did not return. */
const NONE = '-';
/** Minimum length of a typed end of an id. */
export const SUFFIX_CHARACTERS = 6;
/** An ellipsis, and the characters of an id that a command needs. */
const SHORT_ID = 1 + SUFFIX_CHARACTERS;
/** Widths to which columns are narrowed, step by step. A column narrower than the last is useless, so it is omitted. */
const FLOORS = [32, 24, 16, 12, 8];

/** Returns the view for stdout. `now` is the service's time, if it is known. */
export function stdoutView(now?: string): View {
  const { isTTY = false, columns } = process.stdout;
  return {
    width: isTTY ? columns || 80 : null,
    now: isTTY ? now : undefined,
  };
}

export function table(columns: readonly Column[], rows: Rows, view: View): Printable {
  return rowWriter(columns, view)(rows);
}

/**
 * Returns a function that writes a table in parts. The first rows determine the widths of the columns, and get the
 * header.
 */
export function rowWriter(columns: readonly Column[], view: View): (rows: Rows) => Printable {
  let layout: Shown[] | undefined;
  return (rows) => {
    const cells = rows.map((row) => columns.map((column, index) => cellText(row[index] ?? '', column, view)));
    const header = layout ? [] : [columns.map(({ title }) => title)];
    layout ??= layOut(columns, [...header, ...cells], view.width);
    const shown = layout;
    return [...header.map((titles) => lineOf(titles, shown, view)), ...cells.map((each) => lineOf(each, shown, view))];
  };
}

function cellText(text: string, { kind }: Column, { now, width }: View): string {
  const shown = kind !== 'time' ? text : now === undefined ? localTime(text) : relativeTime(text, now);
  // A script that splits lines into columns would take the next cell for it.
  if (shown.trim() === '') return NONE;
  return oneLine(width === null || kind === 'id' || kind === 'short id' ? shown : cutFor(width, shown));
}

interface Shown {
  index: number;
  column: Column;
  width: number;
}

/** Calculates the width of each column, and omits columns that do not fit. */
function layOut(columns: readonly Column[], lines: Rows, width: number | null): Shown[] {
  const all = columns.map((column, index) => {
    // The last cell needs no padding, unless it is a number.
    const counts = width !== null || column.kind === 'number' || index < columns.length - 1;
    const widest = (most: number, line: readonly string[]) =>
      Math.max(most, widthUpTo(line[index] ?? '', width ?? Infinity));
    return { index, column, width: counts ? lines.reduce(widest, 0) : 0 };
  });
  if (width === null) return all;
  for (let shown = all; ; shown = withoutLeast(shown)) {
    const narrowed = FLOORS.map((floor) => narrow(shown, width, floor)).find((each) => each !== undefined);
    if (narrowed) return widen(narrowed, width);
    if (shown.length === 1) return shown.map((each) => ({ ...each, width }));
  }
}

/** Narrows the columns, short ids and then the least important one first; undefined when the table still does not fit. */
function narrow(shown: readonly Shown[], width: number, floor: number): Shown[] | undefined {
  let over = widthOf(shown) - width;
  const order = ({ column: { kind, rank } }: Shown) => (kind === 'short id' ? Infinity : rank);
  const byRank = shown.toSorted((a, b) => order(b) - order(a));
  const widths = new Map<number, number>();
  for (const { index, column, width: natural } of byRank) {
    const least = column.kind === 'id' ? natural : Math.min(natural, leastOf(column, floor));
    const wanted = column.kind === 'short id' && over > 0 ? natural : Math.max(0, over);
    const taken = Math.min(wanted, natural - least);
    widths.set(index, natural - taken);
    over -= taken;
  }
  return over > 0 ? undefined : shown.map((each) => ({ ...each, width: widths.get(each.index) ?? each.width }));
}

function leastOf({ kind, least = 0 }: Column, floor: number): number {
  return kind === 'short id' ? SHORT_ID : Math.max(floor, least);
}

/** Gives the remaining width to the last column, unless it contains numbers: later rows may need it. */
function widen(shown: Shown[], width: number): Shown[] {
  const rest = width - widthOf(shown);
  const isLast = (place: number) => place === shown.length - 1;
  return shown.map((each, place) =>
    isLast(place) && each.column.kind !== 'number' ? { ...each, width: each.width + rest } : each,
  );
}

function withoutLeast(shown: readonly Shown[]): Shown[] {
  const least = Math.max(...shown.map(({ column }) => column.rank));
  return shown.filter(({ column }) => column.rank !== least);
}

function widthOf(shown: readonly Shown[]): number {
  return shown.reduce((sum, { width }) => sum + width, 0) + GAP.length * (shown.length - 1);
}

/** Returns whether a row fits the terminal. Later rows may have longer cells than the first ones. */
function fits(cells: readonly string[], shown: readonly Shown[], terminal: number): boolean {
  const widths = shown.map((each) => Math.max(each.width, widthUpTo(cells[each.index] ?? '', terminal)));
  return widthOf(shown.map((each, place) => ({ ...each, width: widths[place] ?? 0 }))) <= terminal;
}

function lineOf(cells: readonly string[], shown: readonly Shown[], { width: terminal }: View): Printable {
  const whole = terminal === null || fits(cells, shown, terminal);
  const parts = shown.map(({ index, column, width }, place): Printable => {
    const cell = cells[index] ?? '';
    const text =
      whole || column.kind === 'id' ? cell : column.kind === 'short id' ? endOf(cell, width) : shorten(cell, width);
    const painted = column.kind === 'status' ? paint(text, colorOf(cell)) : text;
    if (place === shown.length - 1 && column.kind !== 'number') return painted;
    const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
    return column.kind === 'number' ? [space, painted] : [painted, space];
  });
  return [joined(parts, GAP), '\n'];
}

/** Returns an id, or an ellipsis and its end. */
function endOf(id: string, width: number): string {
  return id.length <= width ? id : `…${id.slice(1 - width)}`;
}
