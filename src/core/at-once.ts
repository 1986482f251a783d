/**
 * Returns the items for which `test` returns true. Tests all at once, and waits for all even if one fails, so that none
 * of them uses a transaction after its end.
 */
export async function filterAtOnce<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const results = await Promise.allSettled(items.map(test));
  return items.filter((_, index) => {
    const result = results[index];
    if (result?.status === 'rejected') throw result.reason;
    return result?.value;
  });
}
