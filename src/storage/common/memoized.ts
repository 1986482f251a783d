/** Returns a map's value for a key, which is created when first needed. */
export function memoized<T>(known: Map<string, T>, key: string, make: () => T): T {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}
