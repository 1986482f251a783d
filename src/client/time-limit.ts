import type { Fetch } from './client.js';

/** Milliseconds that a call takes at most, unless it has a limit of its own or none. */
export const CALL_MS = 30_000;

/** The time limit of a whole command is over. */
export class CommandTimeError extends Error {
  override readonly name = 'CommandTimeError';
}

/** Returns a signal that is aborted when the time of a whole command is over. */
export function commandDeadline(seconds: number): AbortSignal {
  const end = new AbortController();
  AbortSignal.timeout(seconds * 1_000).addEventListener('abort', () => {
    end.abort(new CommandTimeError(`the command did not finish within ${seconds} s (--max-time)`));
  });
  return end.signal;
}

/** Returns a fetch whose calls also end with the signal, whatever limit of time they have. Each has an error of its own. */
export function withDeadline(fetch: Fetch, deadline: AbortSignal): Fetch {
  const timeError = () => new CommandTimeError((deadline.reason as Error).message);
  return async (url, { signal, ...init }) => {
    if (deadline.aborted) throw Object.assign(timeError(), { notSent: true });
    signal?.throwIfAborted();
    const end = new AbortController();
    deadline.addEventListener('abort', () => end.abort(timeError()), { once: true });
    signal?.addEventListener('abort', () => end.abort(signal.reason), { once: true });
    return fetch(url, { ...init, signal: end.signal });
  };
}

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
