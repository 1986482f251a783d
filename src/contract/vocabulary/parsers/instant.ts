/** Parses ISO 8601 dates and date-times. */

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

export const DATE_FORM = 'an ISO 8601 date, or a date-time with an offset or Z';
export const DATE_TIME_FORM = 'an ISO 8601 date-time with an offset or Z';

/**
 * Returns the milliseconds since 1970 of an ISO 8601 date-time with an offset or Z, or of a date (its first millisecond
 * in UTC); undefined if it is invalid, or the day does not exist.
 */
export function readInstant(value: string): { at: number; wholeDay: boolean } | undefined {
  const wholeDay = DATE.test(value);
  if (!wholeDay && !DATE_TIME.test(value)) return undefined;
  const day = Number(value.slice(8, 10));
  const lastDay = new Date(Date.UTC(Number(value.slice(0, 4)), Number(value.slice(5, 7)), 0)).getUTCDate();
  if (day < 1 || day > lastDay) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : { at, wholeDay };
}

/** Returns the milliseconds since 1970 of a date-time; undefined if it is invalid. */
export function readDateTime(value: string): number | undefined {
  const instant = readInstant(value);
  return instant?.wholeDay === false ? instant.at : undefined;
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
