/**
 * Formats times for people: in the machine's time zone, with its offset. The form is one word of ISO 8601, which flags
 * that take a time accept. JSON output has the service's own times, in UTC.
 */

/** Formats a timestamp: `2026-11-22T14:28:30+01:00`. Text that is not a time is returned unchanged. */
export function localTime(timestamp: string): string;
export function localTime(timestamp: string | null): string | null;
export function localTime(timestamp: string | null): string | null {
  if (timestamp === null) return null;
  const at = new Date(timestamp);
  if (Number.isNaN(at.getTime())) return timestamp;
  const date = [String(at.getFullYear()).padStart(4, '0'), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())];
  return `${date.join('-')}T${localTimeOfDay(timestamp)}${offsetOf(at)}`;
}

/** Formats the time of day of a timestamp: `14:28:30`. Text that is not a time is returned unchanged. */
export function localTimeOfDay(timestamp: string): string {
  const at = new Date(timestamp);
  if (Number.isNaN(at.getTime())) return timestamp;
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
}

/** Names the machine's time zone at an instant: `UTC+01:00`. */
export function localZone(instant: number): string {
  return `UTC${offsetOf(new Date(instant)).replace('Z', '')}`;
}

function offsetOf(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  if (minutes === 0) return 'Z';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

const UNITS: [string, number][] = [
  ['y', 365 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** Formats a timestamp relative to another: `2m ago`, `in 3d`, `now`. Text that is not a time is returned unchanged. */
export function relativeTime(timestamp: string, now: string): string {
  const distance = Date.parse(timestamp) - Date.parse(now);
  if (Number.isNaN(distance)) return timestamp;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(distance) >= each) ?? [];
  if (unit === undefined || length === undefined) return 'now';
  const amount = `${Math.floor(Math.abs(distance) / length)}${unit}`;
  return distance < 0 ? `${amount} ago` : `in ${amount}`;
}

/** Returns this machine’s time in milliseconds. A server has its own clock; only `captured_at` is on the machine’s. */
export function systemNow(): number {
  return Date.now();
}
