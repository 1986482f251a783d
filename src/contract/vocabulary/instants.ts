import { DAY_MS } from './limits.js';

/** Parses dates and date-times of ISO 8601, as RFC 3339 limits them. */

const DATE = /^\d{4}-\d{2}-\d{2}$/;

const HOUR = String.raw`(?:[01]\d|2[0-3])`;
const DAY_OF_MONTH = String.raw`(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))`;
const LEAP_DAY = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`;
const TIME = String.raw`T${HOUR}:[0-5]\d`;
const SECONDS = String.raw`:[0-5]\d(?:\.\d{1,9})?`;
const OFFSET = String.raw`(?:Z|[+-]${HOUR}:[0-5]\d)`;
const DAY = String.raw`(?:\d{4}-${DAY_OF_MONTH}|${LEAP_DAY})`;
/** A date-time of RFC 3339, with capital letters and without leap seconds. */
export const DATE_TIME_PATTERN = `^${DAY}${TIME}${SECONDS}${OFFSET}$`;
/** A date, or a date-time in which the seconds are optional. */
export const DATE_PATTERN = `^${DAY}(?:${TIME}(?:${SECONDS})?${OFFSET})?$`;
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
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : { at, wholeDay };
}

/** Returns the milliseconds since 1970 of an RFC 3339 date-time; undefined if it is invalid. */
export function readDateTime(value: string): number | undefined {
  return RFC_3339.test(value) ? readInstant(value)?.at : undefined;
}

const LAST_MILLISECOND_OF_DAY = DAY_MS - 1;

/**
 * Returns the milliseconds since 1970 of an inclusive bound. A date without a time covers the whole UTC day (gap
 * 29).
 */
export function readDateBound(value: string, side: 'first' | 'last'): number | undefined {
  const instant = readInstant(value);
  return instant?.wholeDay && side === 'last' ? instant.at + LAST_MILLISECOND_OF_DAY : instant?.at;
}

/** The instants that the service supports, in milliseconds: from 1970-01-01 to the last millisecond of the year 9999. */
export const INSTANT_MIN = 0;
export const INSTANT_MAX = 253_402_300_799_999;
export const INSTANT_MAX_TEXT = '9999-12-31T23:59:59.999Z';

/** Formats an instant as the Date of a message, in UTC. RFC 5322 section 3.3. */
export function rfc5322Date(instant: number): string {
  return new Date(instant).toUTCString().replace(/GMT$/, '+0000');
}
