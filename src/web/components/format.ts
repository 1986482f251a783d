/** Formats values for people. */

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DAY_MS = 86_400_000;

/** Returns the time of today, the weekday and time of the last days, or the date. */
export function shortTime(at: Date, now: Date, locale?: string): string {
  const clock = at.toLocaleTimeString(locale, CLOCK);
  if (at.toDateString() === now.toDateString()) {
    return at.toLocaleTimeString(locale, { ...CLOCK, second: '2-digit' });
  }
  const age = now.getTime() - at.getTime();
  if (age > 0 && age < 6 * DAY_MS) return `${at.toLocaleDateString(locale, { weekday: 'short' })} ${clock}`;
  const sameYear = at.getFullYear() === now.getFullYear();
  const year = sameYear ? {} : ({ year: 'numeric' } as const);
  const date = at.toLocaleDateString(locale, { day: 'numeric', month: 'short', ...year });
  return sameYear && Math.abs(age) < 30 * DAY_MS ? `${date} ${clock}` : date;
}

/** Returns the date and the time with seconds. */
export function formatInstant(at: Date): string {
  return at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** Returns a size in bytes as people read it: `812 B`, `1.4 kB`, `3.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB'];
  let [value, unit] = [bytes / 1_000, 0];
  for (; value >= 999.5 && unit < 2; unit += 1) value /= 1_000;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Returns `1 email`, `2 emails`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
