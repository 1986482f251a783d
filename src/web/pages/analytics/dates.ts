import type { Grouping } from '../../../contract/vocabulary/counters.js';

/** Names periods of UTC by their first day. */

const UTC = { timeZone: 'UTC' } as const;

/** Returns `Mon 2 Mar 2026`, `Week of 2 Mar 2026` or `March 2026`, in the order of the browser's language. */
export function periodTitle(date: string, by: Grouping): string {
  const at = new Date(date);
  if (by === 'month') return at.toLocaleDateString(undefined, { ...UTC, month: 'long', year: 'numeric' });
  const day = { ...UTC, day: 'numeric', month: 'short', year: 'numeric' } as const;
  if (by === 'week') return `Week of ${at.toLocaleDateString(undefined, day)}`;
  return at.toLocaleDateString(undefined, { ...day, weekday: 'short' });
}

/** Returns the short name of a period for an axis: `2 Mar`, or `Mar 26` for a month. */
export function periodTick(date: string, by: Grouping): string {
  const form =
    by === 'month' ? ({ month: 'short', year: '2-digit' } as const) : ({ day: 'numeric', month: 'short' } as const);
  return new Date(date).toLocaleDateString(undefined, { ...UTC, ...form });
}
