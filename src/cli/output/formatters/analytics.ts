import type { Counters } from '../../../contract/service/analytics.js';
import { counterNames } from '../../../contract/vocabulary/event-types.js';
import { type Color, joined, type Printable, paint, printed } from '../color.js';
import { type Column, table, type View } from '../table.js';

/** Formats the counts of analytics: with bars on a terminal, as numbers elsewhere. */

export type Period = Counters & { date: string };

const NUMBERS: Column[] = [
  { title: 'DATE', rank: 1 },
  ...counterNames.map((name, index): Column => ({ title: name.toUpperCase(), rank: index + 2, kind: 'number' })),
];

/** The parts of a bar in their order. Each has its own character, to be distinguishable without colors. */
const PARTS: { name: 'delivered' | 'bounced' | 'complained'; sign: string; color: Color }[] = [
  { name: 'delivered', sign: '█', color: 'good' },
  { name: 'complained', sign: '▒', color: 'waiting' },
  { name: 'bounced', sign: '▓', color: 'bad' },
];
const OTHER = '░';
const GAP = '  ';
const DATE_COLUMNS = 10;
const WIDEST_BAR = 60;

export function analyticsTable(periods: readonly Period[], total: Counters, view: View): Printable {
  // Another service may not count all outcomes.
  const cells = (counts: Partial<Counters>) => counterNames.map((name) => String(counts[name] ?? ''));
  return table(
    NUMBERS,
    [...periods.map((period) => [period.date, ...cells(period)]), ['total', ...cells(total)]],
    view,
  );
}

/**
 * Draws one bar per period, whose length is the number of sent emails, and one bar per counter, whose length is its
 * number.
 */
export function analyticsChart(periods: readonly Period[], total: Counters, view: View & { width: number }): Printable {
  const most = Math.max(1, ...periods.map(({ sent }) => sent));
  const count = String(most).length;
  const room = barRoom(view.width, DATE_COLUMNS + count + 2 * GAP.length);
  const bars = periods.map((period) => {
    const bar = stackedBar(period, Math.ceil((period.sent / most) * room));
    return withBar([period.date, String(period.sent).padStart(count)], bar);
  });
  const head = bars.length > 0 ? [...bars, legendOf(total, view), ''] : [];
  return [...head, ...totalLines(total, view)].map((line) => [line, '\n']);
}

/** Explains the characters that the bars contain. The last one, for the rest, is omitted where it does not fit. */
function legendOf(total: Counters, { width }: { width: number }): Printable {
  const parts = PARTS.filter(({ name }) => total[name] > 0);
  const rest = `${OTHER} rest`;
  const length = parts.reduce((sum, { name }) => sum + name.length + 3, rest.length);
  const painted = parts.map(({ name, sign, color }) => [paint(sign, color), ` ${name}`]);
  return joined([...painted, ...(length <= width ? [rest] : [])], ' ');
}

function totalLines(total: Counters, { width }: { width: number }): Printable[] {
  const count = String(Math.max(...counterNames.map((name) => total[name]))).length;
  const most = Math.max(1, ...counterNames.map((name) => total[name]));
  const room = barRoom(width, DATE_COLUMNS + count + '100%'.length + 3 * GAP.length);
  return counterNames.map((name) => {
    const bar = '█'.repeat(Math.ceil((total[name] / most) * room));
    const share = total.sent > 0 && name !== 'sent' ? `${Math.round((total[name] / total.sent) * 100)}%` : '';
    const part = PARTS.find((each) => each.name === name);
    const cells = [name.padEnd(DATE_COLUMNS), String(total[name]).padStart(count), share.padStart(4)];
    return withBar(cells, paint(bar, part?.color));
  });
}

/** Returns the cells followed by the bar. A line without a bar has no trailing space. */
function withBar(cells: readonly string[], bar: Printable): Printable {
  const text = cells.join(GAP);
  return printed(bar, false) === '' ? text.trimEnd() : [text, GAP, bar];
}

function barRoom(width: number, taken: number): number {
  return Math.max(1, Math.min(WIDEST_BAR, width - taken));
}

/**
 * Draws the parts of a bar. An email that was delivered and then complained about counts as complained only. The parts
 * are never longer than the bar.
 */
function stackedBar(period: Period, length: number): Printable[] {
  let left = length;
  // What was delivered and bounced or complained later counts as both, and is drawn once.
  const delivered = Math.max(0, Math.min(period.delivered, period.sent - period.bounced) - period.complained);
  const parts = PARTS.map(({ name, sign, color }) => {
    const count = name === 'delivered' ? delivered : period[name];
    const share = period.sent === 0 ? 0 : Math.round((count / period.sent) * length);
    const columns = Math.min(left, count > 0 ? Math.max(1, share) : 0);
    left -= columns;
    return paint(sign.repeat(columns), color);
  });
  return [...parts, OTHER.repeat(left)];
}
