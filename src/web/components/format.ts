/** Formats values for people. */

const DAY_MS = 86_400_000;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DATE = { day: 'numeric', month: 'short' } as const;

/** Creating a format takes a hundred times as long as using it. */
const formatter = memoized((locale: string | undefined) => {
  const create = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
  return {
    clock: create(CLOCK),
    seconds: create({ ...CLOCK, second: '2-digit' }),
    weekday: create({ weekday: 'short' }),
    date: create(DATE),
    dateAndYear: create({ ...DATE, year: 'numeric' }),
    full: create({ dateStyle: 'full', timeStyle: 'long' }),
  };
});

/** Returns the time of today, the weekday and time of the last days, or the date. */
export function shortTime(at: Date, now: Date, locale?: string): string {
  const { clock, seconds, weekday, date, dateAndYear } = formatter(locale);
  if (at.toDateString() === now.toDateString()) return seconds.format(at);
  const age = now.getTime() - at.getTime();
  if (age > 0 && age < 6 * DAY_MS) return `${weekday.format(at)} ${clock.format(at)}`;
  if (at.getFullYear() !== now.getFullYear()) return dateAndYear.format(at);
  return Math.abs(age) < 30 * DAY_MS ? `${date.format(at)} ${clock.format(at)}` : date.format(at);
}

/** Returns date, time and time zone in words. */
export function fullTime(at: Date): string {
  return formatter(undefined).full.format(at);
}

function memoized<Key, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    const value = values.get(key) ?? create(key);
    values.set(key, value);
    return value;
  };
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
