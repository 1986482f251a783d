import { DAY_MS } from './limits.js';

/** Parses and formats durations such as `1d12h`, and ISO 8601 durations. */

const UNIT_MS: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
const SHORT = /^(?:\d+(?:\.\d+)?(?:ms|[wdhms]))+$/;
const SHORT_PART = /(\d+(?:\.\d+)?)(ms|[wdhms])/gy;
const ISO =
  /^P(?=.)(?:(\d+)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?=.)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const ISO_UNITS = ['w', 'd', 'h', 'm', 's'] as const;

/** Longer texts are rejected: matching a repeated pattern needs a stack that grows with the text. */
const DURATION_CHARACTERS = 100;

/** The maximum duration: ten years. */
const DURATION_MAX_MS = 10 * 366 * DAY_MS;

export const DURATION_FORM = 'a duration such as 90s, 2h, 1d12h or PT2H, at most ten years';

/** Returns the milliseconds of `90s`, `1d12h`, `0` or ISO 8601's `PT2H`; undefined if it is invalid or longer than ten years. */
export function readDuration(text: string): number | undefined {
  if (text.length > DURATION_CHARACTERS) return undefined;
  if (text === '0') return 0;
  const milliseconds = SHORT.test(text) ? readShort(text) : readIso(text);
  return milliseconds !== undefined && milliseconds <= DURATION_MAX_MS ? Math.round(milliseconds) : undefined;
}

/** Returns the shortest form that `readDuration` accepts, such as `1d12h`. */
export function formatDuration(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (const unit of ['d', 'h', 'm', 's', 'ms']) {
    const count = Math.floor(rest / (UNIT_MS[unit] ?? 1));
    if (count > 0) text += `${count}${unit}`;
    rest -= count * (UNIT_MS[unit] ?? 1);
  }
  return text || '0s';
}

function readShort(text: string): number {
  let total = 0;
  for (const [, count, unit] of text.matchAll(SHORT_PART)) total += Number(count) * (UNIT_MS[unit ?? ''] ?? 0);
  return total;
}

function readIso(text: string): number | undefined {
  const parts = ISO.exec(text);
  if (!parts) return undefined;
  return ISO_UNITS.reduce((total, unit, index) => total + Number(parts[index + 1] ?? 0) * (UNIT_MS[unit] ?? 0), 0);
}

/** A smaller difference from the system time is not worth showing. */
const JUST_NOW_MS = 1_000;

/** Returns `2h ahead` or `3m behind` for a number of milliseconds; undefined below a second. */
export function describeOffset(offset_ms: number): string | undefined {
  if (Math.abs(offset_ms) < JUST_NOW_MS) return undefined;
  const seconds = Math.round(offset_ms / 1_000) * 1_000;
  return `${formatDuration(Math.abs(seconds))} ${seconds > 0 ? 'ahead' : 'behind'}`;
}
