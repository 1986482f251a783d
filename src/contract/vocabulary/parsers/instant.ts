/** Parses dates and date-times of ISO 8601, as RFC 3339 limits them. */

const DATE = /^\d{4}-\d{2}-\d{2}$/;

const HOUR = String.raw`(?:[01]\d|2[0-3])`;
const DAY_OF_YEAR = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const OFFSET = String.raw`(?:Z|[+-]${HOUR}:[0-5]\d)`;
/** A date-time of RFC 3339, with capital letters and without leap seconds. */
export const DATE_TIME_PATTERN = String.raw`^${DAY_OF_YEAR}T${HOUR}:[0-5]\d:[0-5]\d(?:\.\d{1,9})?${OFFSET}$`;
/** A date, or a date-time in which the seconds are optional. */
export const DATE_PATTERN = String.raw`^${DAY_OF_YEAR}(?:T${HOUR}:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?${OFFSET})?$`;
const RFC_3339 = new RegExp(DATE_TIME_PATTERN);
const DATE_OR_DATE_TIME = new RegExp(DATE_PATTERN);

export const DATE_FORM = 'an ISO 8601 date, or a date-time with an offset or Z';
export const DATE_TIME_FORM = 'an RFC 3339 date-time with an offset or Z, such as 2026-03-02T09:30:00Z';

/**
 * Returns the milliseconds since 1970 of an ISO 8601 date-time with an offset or Z, or of a date (its first millisecond
 * in UTC); undefined if it is invalid, or the day does not exist.
 */
export function readInstant(value: string): { at: number; wholeDay: boolean } | undefined {
  if (!DATE_OR_DATE_TIME.test(value)) return undefined;
  const wholeDay = DATE.test(value);
  const date = value.slice(0, 10);
  // A day that does not exist, such as February 30, is read as one of the next month.
  if (new Date(date).toISOString().slice(0, 10) !== date) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : { at, wholeDay };
}

/** Returns the milliseconds since 1970 of an RFC 3339 date-time; undefined if it is invalid. */
export function readDateTime(value: string): number | undefined {
  return RFC_3339.test(value) ? readInstant(value)?.at : undefined;
}

const LAST_MILLISECOND_OF_DAY = 86_400_000 - 1;

/**
 * Returns the milliseconds since 1970 of an inclusive bound. A date without a time covers the whole UTC day (gap
 * 29).
 */
export function readDateBound(value: string, side: 'first' | 'last'): number | undefined {
  const instant = readInstant(value);
  return instant?.wholeDay && side === 'last' ? instant.at + LAST_MILLISECOND_OF_DAY : instant?.at;
}
