/** The instants that the service supports, in milliseconds: from 1970-01-01 to the last millisecond of the year 9999. */
export const INSTANT_MIN = 0;
export const INSTANT_MAX = 253_402_300_799_999;
export const INSTANT_MAX_TEXT = '9999-12-31T23:59:59.999Z';
