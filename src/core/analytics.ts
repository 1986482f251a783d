import type { Counters } from '../contract/analytics.js';
import { counterNames, type Grouping } from '../contract/counters.js';
import { ServiceError } from '../contract/errors.js';
import { ANALYTICS_DEFAULT_DAYS, ANALYTICS_PERIODS_MAX, DAY_MS } from '../contract/limits.js';
import type { Handler } from './context.js';

/** Specification: Analytics; decision 28. Periods are UTC days, ISO weeks (from Monday) and calendar months. */

export const emailAnalytics: Handler<'analytics.emails'> = async ({ query }, { store, clock }) => {
  const to = query.to_date ?? clock.now();
  const from = query.from_date ?? to - ANALYTICS_DEFAULT_DAYS * DAY_MS;
  if (from > to) throw badRange('from_date', 'must not be later than to_date');
  const by_date: (Counters & { date: string })[] = [];
  for (const { start, end } of periods(from, to, query.group_by)) {
    const counts = await store.read.events.count(Math.max(start, from), Math.min(end, to));
    by_date.push({ date: new Date(start).toISOString().slice(0, 10), ...counts });
  }
  const total = Object.fromEntries(
    counterNames.map((name) => [name, by_date.reduce((sum, period) => sum + period[name], 0)]),
  ) as Counters;
  return { total, by_date };
};

/** Every period that holds an instant of [from, to], with its first and last millisecond. */
export function periods(from: number, to: number, grouping: Grouping): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let start = periodStart(from, grouping); start <= to; start = nextPeriod(start, grouping)) {
    if (found.length === ANALYTICS_PERIODS_MAX) {
      throw badRange('from_date', `and to_date must span at most ${ANALYTICS_PERIODS_MAX} periods of one ${grouping}`);
    }
    found.push({ start, end: nextPeriod(start, grouping) - 1 });
  }
  return found;
}

const MONDAY = 1;

function periodStart(instant: number, grouping: Grouping): number {
  const date = new Date(instant);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (grouping === 'day') return Date.UTC(year, month, day);
  if (grouping === 'month') return Date.UTC(year, month);
  return Date.UTC(year, month, day - ((date.getUTCDay() - MONDAY + 7) % 7));
}

function nextPeriod(start: number, grouping: Grouping): number {
  const date = new Date(start);
  const days = { day: 1, week: 7, month: 0 }[grouping];
  const months = grouping === 'month' ? 1 : 0;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate() + days);
}

function badRange(path: string, message: string): ServiceError {
  return new ServiceError('bad_request', `${path} ${message}`, [{ path, message }]);
}
