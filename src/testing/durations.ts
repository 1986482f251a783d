import { DURATION_FORM, readDuration } from '../contract/vocabulary/parsers/duration.js';
import type { Duration } from './api/emails.js';

/** Returns milliseconds. @throws TypeError that names the option when the value is not a duration. */
export function millisecondsOf(value: Duration, option: string): number {
  const milliseconds = typeof value === 'number' ? value : readDuration(value);
  if (milliseconds !== undefined && Number.isFinite(milliseconds) && milliseconds >= 0) return Math.round(milliseconds);
  throw new TypeError(
    `${option} must be milliseconds from 0 or ${DURATION_FORM}, not ${JSON.stringify(value) ?? String(value)}.`,
  );
}
