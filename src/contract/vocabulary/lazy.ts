/** Loads and makes values when they are first needed. */

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
