import { formatDuration } from './parsers/duration.js';

/** A smaller difference from the system time is not worth showing. */
const JUST_NOW_MS = 1_000;

/** Returns `2h ahead` or `3m behind` for a number of milliseconds; undefined below a second. */
export function describeOffset(offset_ms: number): string | undefined {
  if (Math.abs(offset_ms) < JUST_NOW_MS) return undefined;
  const seconds = Math.round(offset_ms / 1_000) * 1_000;
  return `${formatDuration(Math.abs(seconds))} ${seconds > 0 ? 'ahead' : 'behind'}`;
}
