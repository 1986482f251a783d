import type { Fetch } from './client.js';

/** Milliseconds that a call takes at most, unless it has a limit of its own or none. */
export const CALL_MS = 30_000;

/** Returns a fetch that ends each call at its time limit, with a `TimeoutError`. */
export function withTimeLimit(fetch: Fetch): Fetch {
  return (url, { noTimeout, timeoutMs = CALL_MS, ...init }) => {
    const limit = noTimeout ? undefined : AbortSignal.timeout(timeoutMs);
    const signal = limit && init.signal ? AbortSignal.any([init.signal, limit]) : (limit ?? init.signal);
    return fetch(url, { ...init, ...(signal && { signal }) });
  };
}
