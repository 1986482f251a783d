/** Parses a filter on HTTP statuses. */

export const STATUS_RANGE_FORM = 'a status such as 404, or a class such as 4xx';

/** Returns the statuses that `404` or `4xx` matches; undefined if it is invalid. */
export function readStatusRange(text: string): { from: number; to: number } | undefined {
  const lower = text.toLowerCase();
  if (!/^[1-5](?:\d\d|xx)$/.test(lower)) return undefined;
  return { from: Number(lower.replaceAll('x', '0')), to: Number(lower.replaceAll('x', '9')) };
}
