/** Maximum number of items to name. */
const NAMED_MAX = 3;

/** Lists the first items, and the number of the others: `a, b, c and 4 more`. Without `isComplete`: `a, b, c and more`. */
export function firstFew(items: readonly string[], isComplete = true): string {
  const named = items.slice(0, NAMED_MAX).join(', ');
  if (items.length <= NAMED_MAX) return named;
  return isComplete ? `${named} and ${items.length - NAMED_MAX} more` : `${named} and more`;
}
