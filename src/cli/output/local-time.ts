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
