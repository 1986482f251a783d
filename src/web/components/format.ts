/** Formats values for people. */

const DAY_MS = 86_400_000;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DATE = { day: 'numeric', month: 'short' } as const;

const FORMATS = {
  clock: CLOCK,
  seconds: { ...CLOCK, second: '2-digit' },
  weekday: { weekday: 'short' },
  date: DATE,
  dateAndYear: { ...DATE, year: 'numeric' },
  full: { dateStyle: 'full', timeStyle: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Returns a format, which is made when it is first used: that takes a hundred times as long as using it. */
const formatOf = memoized((locale: string | undefined) =>
  memoized((name: keyof typeof FORMATS) => new Intl.DateTimeFormat(locale, FORMATS[name])),
);

/** Returns the time of today, the weekday and time of the last days, or the date. */
export function shortTime(at: Date, now: Date, locale?: string): string {
  const format = (name: keyof typeof FORMATS) => formatOf(locale)(name).format(at);
  if (at.toDateString() === now.toDateString()) return format('seconds');
  const age = now.getTime() - at.getTime();
  if (age > 0 && age < 6 * DAY_MS) return `${format('weekday')} ${format('clock')}`;
  if (at.getFullYear() !== now.getFullYear()) return format('dateAndYear');
  return Math.abs(age) < 30 * DAY_MS ? `${format('date')} ${format('clock')}` : format('date');
}

/** Returns date, time and time zone in words. */
export function fullTime(at: Date): string {
  return formatOf(undefined)('full').format(at);
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

/** Returns a whole number with commas. The first number format of a browser would take a part of the first view. */
export function formatCount(count: number): string {
  const digits = String(count);
  const first = digits.length % 3 || 3;
  const groups = [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3));
  return groups.join(',');
}

/** Returns at most `length` UTF-16 units from the beginning of a text. A surrogate pair is not split. */
export function beginningOf(text: string, length: number): string {
  const isSplit = (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return text.slice(0, isSplit ? length - 1 : length);
}

/** Returns `1 email`, `2 emails`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
