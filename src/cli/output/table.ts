import { colorOf, joined, type Printable, paint } from './color.js';
import { cutFor, displayWidth, shorten, widthUpTo } from './display-width.js';
import { relativeTime } from './relative-time.js';
import { oneLine } from './text.js';

/**
 * Rows for a person: on a terminal they fit its width, and say how long ago something was. Elsewhere every cell is whole, and
 * times are as the service gave them.
 */

export interface Column {
  title: string;
  /** 1 stays whole the longest; on a narrow terminal the column of the highest rank gives way first. */
  rank: number;
  /** An id is whole or not there, because half of one is of no use. */
  kind?: 'id' | 'number' | 'status' | 'time';
}

export interface View {
  /** Columns of the terminal; null where nothing needs to fit. */
  width: number | null;
  /** What times are seen from; undefined to leave them as they are. */
  now: string | undefined;
}

type Rows = readonly (readonly string[])[];

const GAP = '  ';
/** How far every column is narrowed before any is narrowed further; one narrower than the last says nothing. */
const FLOORS = [32, 24, 16, 12, 8];

/** Where stdout leads. `now` is the service's time, where it is known. */
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

/** A table that is written bit by bit: the first rows decide how wide the columns are, and have the header above them. */
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
  const shown = kind === 'time' && now !== undefined ? relativeTime(text, now) : text;
  return oneLine(width === null || kind === 'id' ? shown : cutFor(width, shown));
}

interface Shown {
  index: number;
  column: Column;
  width: number;
}

/** How wide each column is, and which there is no room for. */
function layOut(columns: readonly Column[], lines: Rows, width: number | null): Shown[] {
  const all = columns.map((column, index) => {
    // Nothing is put in line with what comes after the last cell.
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

/** Takes from the least important column what is too much, then from the next; undefined when that is not enough. */
function narrow(shown: readonly Shown[], width: number, floor: number): Shown[] | undefined {
  let over = widthOf(shown) - width;
  const byRank = shown.toSorted((a, b) => b.column.rank - a.column.rank);
  const widths = new Map<number, number>();
  for (const { index, column, width: natural } of byRank) {
    const least = column.kind === 'id' ? natural : Math.min(natural, floor);
    const taken = Math.min(Math.max(0, over), natural - least);
    widths.set(index, natural - taken);
    over -= taken;
  }
  return over > 0 ? undefined : shown.map((each) => ({ ...each, width: widths.get(each.index) ?? each.width }));
}

/** A text that stands last has all that is left: later rows may need it. */
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

/** A row that came later may have longer cells, and fit all the same. */
function fits(cells: readonly string[], shown: readonly Shown[], terminal: number): boolean {
  const widths = shown.map((each) => Math.max(each.width, widthUpTo(cells[each.index] ?? '', terminal)));
  return widthOf(shown.map((each, place) => ({ ...each, width: widths[place] ?? 0 }))) <= terminal;
}

function lineOf(cells: readonly string[], shown: readonly Shown[], { width: terminal }: View): Printable {
  const whole = terminal === null || fits(cells, shown, terminal);
  const parts = shown.map(({ index, column, width }, place): Printable => {
    const cell = cells[index] ?? '';
    const text = whole || column.kind === 'id' ? cell : shorten(cell, width);
    const painted = column.kind === 'status' ? paint(text, colorOf(cell)) : text;
    if (place === shown.length - 1 && column.kind !== 'number') return painted;
    const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
    return column.kind === 'number' ? [space, painted] : [painted, space];
  });
  return [joined(parts, GAP), '\n'];
}
