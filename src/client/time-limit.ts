import type { Fetch } from './wire-request.js';

/** Milliseconds that a call takes at most, unless it has a limit of its own or none. */
export const CALL_MS = 30_000;

/** A whole command ends, although its calls have not: at its time limit, or with a signal such as that of ^C. */
export class CommandEndedError extends Error {
  override readonly name = 'CommandEndedError';

  constructor(
    message: string,
    /** The signal that ended it; undefined for a time limit. */
    readonly signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP',
  ) {
    super(message);
  }
}

/** Aborts `end` when the time of a whole command is over. */
export function endAfter(seconds: number, end: AbortController): void {
  AbortSignal.timeout(seconds * 1_000).addEventListener('abort', () => {
    end.abort(new CommandEndedError(`the command did not finish within ${seconds} s (--max-time)`));
  });
}

/**
 * Returns a fetch whose calls also end with the signal, whatever limit of time they have. Its reason is a
 * `CommandEndedError`. Each call has an error of its own.
 */
export function withEnd(fetch: Fetch, ended: AbortSignal): Fetch {
  const endError = () => {
    const { message, signal } = ended.reason as CommandEndedError;
    return new CommandEndedError(message, signal);
  };
  return async (url, { signal, ...init }) => {
    if (ended.aborted) throw Object.assign(endError(), { notSent: true });
    signal?.throwIfAborted();
    const end = new AbortController();
    ended.addEventListener('abort', () => end.abort(endError()), { once: true });
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
