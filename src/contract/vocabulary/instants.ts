import { DURATION_FORM, readDuration } from './durations.js';

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

const LAST_MILLISECOND_OF_DAY = 86_400_000 - 1;

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

/** Parses the start of the window in which a wait looks for emails. All of its times are on the machine's clock. */

export type Since =
  /** The start of the server. */
  | { kind: 'start' }
  /** The time of the request. */
  | { kind: 'now' }
  /** Milliseconds before the request. */
  | { kind: 'duration'; milliseconds: number }
  /** Milliseconds since 1970. */
  | { kind: 'time'; at: number }
  /** The number of an email: the window begins after it. */
  | { kind: 'cursor'; seq: number };

export const SINCE_FORM = `start, now, a cursor such as c42, ${DATE_FORM}, or ${DURATION_FORM}`;

/** The prefix tells a cursor from a number of seconds that lacks its unit. */
const CURSOR = /^c(\d{1,15})$/;

/** Returns undefined for a text of another form. */
export function readSince(text: string): Since | undefined {
  if (text === 'start' || text === 'now') return { kind: text };
  const seq = readCursor(text);
  if (seq !== undefined) return { kind: 'cursor', seq };
  const milliseconds = readDuration(text);
  if (milliseconds !== undefined) return { kind: 'duration', milliseconds };
  const instant = readInstant(text);
  return instant && { kind: 'time', at: instant.at };
}

/** Returns the cursor of an email, by its number in the order of acceptance. */
export function formatCursor(seq: number): string {
  return `c${seq}`;
}

/** Returns the number of a cursor's email; undefined if the text is not a cursor. */
export function readCursor(text: string): number | undefined {
  const digits = CURSOR.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Formats an instant as the Date of a message, in UTC. RFC 5322 section 3.3. */
export function rfc5322Date(instant: number): string {
  return new Date(instant).toUTCString().replace(/GMT$/, '+0000');
}
