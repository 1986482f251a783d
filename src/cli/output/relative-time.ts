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
