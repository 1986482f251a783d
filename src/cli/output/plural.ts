/** Returns a count with its noun: `1 email`, `2 emails`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
