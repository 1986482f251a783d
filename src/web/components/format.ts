import { once } from '../../contract/vocabulary/lazy.js';
import { DAY_MS } from '../../contract/vocabulary/limits.js';

/** Formats values for people. */

/**
 * Returns the time of today, the weekday and time of the last days, or the date, in English like the page. The first
 * use of Intl takes a tenth of the first view's processor time, because the browser then lists all its locales.
 */
export function shortTime(at: Date, now: Date): string {
  const [weekday, month, day] = at.toDateString().split(' ');
  const clock = `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
  if (at.toDateString() === now.toDateString()) return `${clock}:${twoDigits(at.getSeconds())}`;
  const age = now.getTime() - at.getTime();
  if (age > 0 && age < 6 * DAY_MS) return `${weekday} ${clock}`;
  const date = `${month} ${Number(day)}`;
  if (at.getFullYear() !== now.getFullYear()) return `${date}, ${at.getFullYear()}`;
  return Math.abs(age) < 30 * DAY_MS ? `${date} ${clock}` : date;
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** Returns the format, which is made when it is first used: that takes a hundred times as long as using it. */
const fullFormat = once(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' }),
);

/** Returns date, time and time zone in words. */
export function fullTime(at: Date): string {
  return fullFormat().format(at);
}

/** Returns the date and the time with seconds. */
export function formatInstant(at: Date): string {
  return at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
}

/** Returns a size in bytes as people read it: `812 B`, `1.4 kB`, `3.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB'];
  let [value, unit] = [bytes / 1_000, 0];
  for (; value >= 999.5 && unit < 2; unit += 1) value /= 1_000;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Returns a whole number with commas. Without Intl, as `shortTime`. */
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

/** Returns a text in which characters that reverse what follows are visible: `invoice[U+202E]fdp.exe`. */
export function withVisibleOverrides(text: string): string {
  return text.replace(/\u202d/g, '[U+202D]').replace(/\u202e/g, '[U+202E]');
}

/** Returns `1 email`, `2 emails`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the address of `Name <address>`. */
export function mailboxOf(address: string): string {
  const start = address.lastIndexOf('<');
  return start >= 0 && address.trimEnd().endsWith('>') ? address.slice(start + 1, address.lastIndexOf('>')) : address;
}
