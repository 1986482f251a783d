/** A number of emails that is expected. Without `max`, any number from `min`. */
export interface CountRange {
  min: number;
  max?: number;
}

export const COUNT_RANGE_FORM = 'a count from 1 such as 2, 2..5 or 2..';

/** The highest number of emails to count. */
export const COUNT_MAX = 1_000;

const RANGE = /^(\d{1,5})(?:(\.\.)(\d{1,5})?)?$/;

/** Reads `2` (exactly two), `2..5` or `2..`; undefined if it is invalid, zero, upside down, or above `COUNT_MAX`. */
export function readCountRange(text: string): CountRange | undefined {
  const [, first, dots, last] = RANGE.exec(text) ?? [];
  if (first === undefined) return undefined;
  const min = Number(first);
  if (min === 0) return undefined;
  const max = dots === undefined ? min : last === undefined ? undefined : Number(last);
  if (Math.max(min, max ?? 0) > COUNT_MAX || (max !== undefined && max < min)) return undefined;
  return max === undefined ? { min } : { min, max };
}

/** Parses a filter on HTTP statuses. */

export const STATUS_RANGE_FORM = 'a status such as 404, or a class such as 4xx';

/** Returns the statuses that `404` or `4xx` matches; undefined if it is invalid. */
export function readStatusRange(text: string): { from: number; to: number } | undefined {
  const lower = text.toLowerCase();
  if (!/^[1-5](?:\d\d|xx)$/.test(lower)) return undefined;
  return { from: Number(lower.replaceAll('x', '0')), to: Number(lower.replaceAll('x', '9')) };
}
