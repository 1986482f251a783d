/**
 * Returns a function that loads something on its first call and returns the same on every later one. After a failed
 * load, the next call tries again.
 */
export function lazy<T>(load: () => Promise<T>): { (): Promise<T>; loaded(): Promise<T> | undefined } {
  let loading: Promise<T> | undefined;
  const get = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return Object.assign(get, { loaded: () => loading });
}

/** Returns a function that makes a value on its first call, and returns the same one on every later call. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns the fields of a partial change that are not undefined. */
export function omitUndefined<T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
