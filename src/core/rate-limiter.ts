import { MINUTE_MS } from '../contract/limits.js';
import type { Clock } from './ports.js';

/** What `X-RateLimit-*` say. Specification: Rate limits by plan; decisions 31 and 32. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Unix seconds at which the window is full again. */
  reset: number;
  /** Seconds to wait, when the limit is reached; else 0. */
  retryAfter: number;
}

interface Window {
  endsAt: number;
  used: number;
}

/** How many windows are kept before the ones that have ended are swept out. */
const SWEEP_ABOVE = 10_000;

/** Counts calls in windows of a minute that begin with a caller's first call. */
export class RateLimiter {
  readonly #windows = new Map<string, Window>();

  constructor(private readonly clock: Clock) {}

  /** Counts one call by `caller` against `limit` calls a minute. A refused call is not counted. */
  take(caller: string, limit: number): RateLimitState {
    const now = this.clock.now();
    let window = this.#windows.get(caller);
    // A window that ends more than a minute ahead was begun before the clock was set back.
    if (!window || window.endsAt <= now || window.endsAt > now + MINUTE_MS) {
      if (this.#windows.size >= SWEEP_ABOVE) this.#sweep(now);
      window = { endsAt: now + MINUTE_MS, used: 0 };
      this.#windows.set(caller, window);
    }
    const refused = window.used >= limit;
    if (!refused) window.used += 1;
    return {
      limit,
      remaining: Math.max(0, limit - window.used),
      reset: Math.ceil(window.endsAt / 1000),
      retryAfter: refused ? Math.max(1, Math.ceil((window.endsAt - now) / 1000)) : 0,
    };
  }

  #sweep(now: number): void {
    for (const [caller, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(caller);
  }
}
