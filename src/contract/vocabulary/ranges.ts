/** Parses sizes such as `500MB`. */

const UNIT_BYTES: Record<string, number> = {
  b: 1,
  kb: 1_000,
  mb: 1_000 ** 2,
  gb: 1_000 ** 3,
  tb: 1_000 ** 4,
  kib: 1_024,
  mib: 1_024 ** 2,
  gib: 1_024 ** 3,
  tib: 1_024 ** 4,
};
const SIZE = /^(\d{1,9}(?:\.\d{1,3})?) ?([kmgt]?i?b)?$/i;

export const BYTE_SIZE_FORM = 'a size such as 100kB, 500MB or 8GiB';

/** Returns the number of bytes of `500MB`, `8GiB` or `1024`; undefined if it is invalid or less than one byte. */
export function readByteSize(text: string): number | undefined {
  const [, count, unit = 'b'] = SIZE.exec(text) ?? [];
  const bytes = Math.floor(Number(count) * (UNIT_BYTES[unit.toLowerCase()] ?? Number.NaN));
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : undefined;
}

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
