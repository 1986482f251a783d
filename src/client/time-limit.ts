import type { Fetch } from './client.js';

/** Milliseconds that a call takes at most, unless it has a limit of its own or none. */
export const CALL_MS = 30_000;

/** Returns a fetch that ends each call at its time limit, with a `TimeoutError`. `callMs` is that of calls without one. */
export function withTimeLimit(fetch: Fetch, callMs: number = CALL_MS): Fetch {
  return async (url, { noTimeout, timeoutMs = callMs, signal, ...init }) => {
    if (noTimeout) return fetch(url, { ...init, ...(signal && { signal }) });
    signal?.throwIfAborted();
    const end = new AbortController();
    // Not AbortSignal.any: in Node 20, the garbage collector removes a time limit that only such a signal depends on.
    for (const each of [AbortSignal.timeout(timeoutMs), signal]) {
      each?.addEventListener('abort', () => end.abort(each.reason), { once: true });
    }
    return fetch(url, { ...init, signal: end.signal });
  };
}
