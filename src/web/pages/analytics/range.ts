import { type Grouping, groupings } from '../../../contract/vocabulary/counters.js';
import { DAY_MS } from '../../../contract/vocabulary/limits.js';

/** Reads the range of the analytics page from its address: `?period=90d&by=week`, or `?from=2026-01-01&to=2026-01-31`. */

export const periods = {
  '7d': { label: 'Last 7 days', days: 7, by: 'day' },
  '30d': { label: 'Last 30 days', days: 30, by: 'day' },
  '90d': { label: 'Last 90 days', days: 90, by: 'week' },
  '1y': { label: 'Last 12 months', days: 365, by: 'month' },
} as const satisfies Record<string, { label: string; days: number; by: Grouping }>;
export type Period = keyof typeof periods;
const DEFAULT: Period = '30d';

export interface Range {
  /** Undefined for dates that the user chose. */
  period: Period | undefined;
  /** Dates of UTC, both included. */
  from: string;
  to: string;
  by: Grouping;
}

/** @param now milliseconds since 1970 in the service's time */
export function readRange(params: URLSearchParams, now: number): Range {
  const [from, to] = [params.get('from'), params.get('to')];
  const grouping = groupings.find((each) => each === params.get('by'));
  if (from && to) return { period: undefined, from, to, by: grouping ?? 'day' };
  const name = (Object.keys(periods) as Period[]).find((each) => each === params.get('period')) ?? DEFAULT;
  const { days, by } = periods[name];
  return { period: name, from: dateOf(now - (days - 1) * DAY_MS), to: dateOf(now), by: grouping ?? by };
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
