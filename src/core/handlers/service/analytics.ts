import type { Counters } from '../../../contract/service/analytics.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { counterNames, type Grouping } from '../../../contract/vocabulary/event-types.js';
import { ANALYTICS_DEFAULT_DAYS, ANALYTICS_PERIODS_MAX, DAY_MS } from '../../../contract/vocabulary/limits.js';
import type { Handler, ServiceHandlers } from '../../context.js';

/**
 * Implements the endpoint for analytics. Periods are UTC days, ISO weeks (from Monday) and calendar months.
 * Specification: Analytics; gap 28.
 */

const emailAnalytics: Handler<'analytics.emails'> = async ({ query }, { store, clock }) => {
  const to = inRange('to_date', query.to_date ?? clock.now());
  const from = inRange('from_date', query.from_date ?? Math.max(FIRST_INSTANT, to - ANALYTICS_DEFAULT_DAYS * DAY_MS));
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

/** Returns every period that overlaps [from, to], with its first and last millisecond. */
function periods(from: number, to: number, grouping: Grouping): { start: number; end: number }[] {
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
/** The first instant of the year 1, which is a Monday. Dates have four digits, so the year 9999 is the last. */
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

function inRange(path: string, instant: number): number {
  if (instant >= FIRST_INSTANT && instant <= LAST_INSTANT) return instant;
  throw badRange(path, 'must be in the years 0001 to 9999 in UTC');
}

function periodStart(instant: number, grouping: Grouping): number {
  const date = new Date(instant);
  date.setUTCHours(0, 0, 0, 0);
  if (grouping === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() - MONDAY + 7) % 7));
  if (grouping === 'month') date.setUTCDate(1);
  return date.getTime();
}

function nextPeriod(start: number, grouping: Grouping): number {
  // Does not use Date.UTC(), which treats the years 0 to 99 as 1900 to 1999.
  const date = new Date(start);
  if (grouping === 'month') date.setUTCMonth(date.getUTCMonth() + 1);
  else date.setUTCDate(date.getUTCDate() + (grouping === 'week' ? 7 : 1));
  return date.getTime();
}

function badRange(path: string, message: string): ServiceError {
  return new ServiceError('bad_request', `${path} ${message}`, [{ path, message }]);
}

export const analyticsHandlers = {
  'analytics.emails': emailAnalytics,
} satisfies Partial<ServiceHandlers>;
