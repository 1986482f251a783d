import { MINUTE_MS, type Plan, plans } from '../../contract/vocabulary/limits.js';
import type { ApiKeyRecord } from '../model/resources.js';
import type { Clock } from '../ports.js';
import { type Store, StoreClosedError } from '../store.js';

/** The values of `X-RateLimit-*`. Specification: Rate limits by plan; gaps 31 and 32. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Unix time in seconds at which the window ends. */
  reset: number;
  /** Seconds to wait, when the limit is reached; else 0. */
  retryAfter: number;
}

/** The value of the headers for unlimited calls. The headers must be integers on every response. */
export const UNLIMITED_SHOWN = 1_000_000;

/** Maximum number of calls per minute by one caller. */
export interface CallLimit {
  caller: string;
  limit: number;
}

/** The name of the window that all keys without a workspace share. */
const ACCOUNT = 'account';

interface Caller {
  key: Pick<ApiKeyRecord, 'id' | 'rateLimit'> | null;
  workspace: string | null;
}

/**
 * Returns the limits of a caller: that of the plan, which each workspace and all keys of none have to themselves, and
 * that of its key if it is lower. Gap 32.
 */
export function accountLimits(plan: Plan, { key, workspace }: Caller): CallLimit[] {
  const { requestsPerMinute: limit } = plans[plan];
  if (limit === null) return [];
  const shared = { caller: workspace === null ? ACCOUNT : `workspace ${workspace}`, limit };
  return key && key.rateLimit < limit ? [{ caller: key.id, limit: key.rateLimit }, shared] : [shared];
}

interface Window {
  endsAt: number;
  /** Calls of all processes, as far as they are known. */
  used: number;
  /** Calls of this process that are not shared yet. */
  own: number;
}

interface Sharing {
  shared: Store['shared'];
  /** The name of this limiter among those on the database. */
  name: string;
}

/** Milliseconds from a call to sharing it with other processes. Decision 147. */
const SHARE_AFTER_MS = 100;

/** Maximum number of windows in memory. A new one replaces the oldest. */
const WINDOWS_MAX = 100_000;

/** Counts calls in windows of one minute. A window begins with a caller's first call. */
export class RateLimiter {
  readonly #windows = new Map<string, Window>();
  #isSharing = false;

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'after'>,
    private readonly sharing: Sharing,
  ) {}

  /**
   * Counts one call against every limit, or against none if one of them is reached. Returns the state of the tightest
   * one. No limits mean unlimited.
   * @param calls the number to count; 0 only looks
   */
  take(limits: readonly CallLimit[], calls = 1): RateLimitState {
    const now = this.clock.now();
    const windows = limits.map(({ caller, limit }) => ({ caller, limit, window: this.#windowOf(caller, now) }));
    const isRefused = windows.some(({ limit, window }) => window.used >= limit);
    const states = windows.map(({ caller, limit, window }) => {
      if (!isRefused) this.#count(caller, window, calls);
      const isReached = isRefused && window.used >= limit;
      return {
        limit,
        remaining: Math.max(0, limit - window.used),
        reset: Math.ceil(window.endsAt / 1000),
        retryAfter: isReached ? Math.ceil((window.endsAt - now) / 1000) : 0,
      };
    });
    const [tightest] = states.sort((a, b) => b.retryAfter - a.retryAfter || a.remaining - b.remaining);
    return (
      tightest ?? { limit: UNLIMITED_SHOWN, remaining: UNLIMITED_SHOWN, reset: Math.ceil(now / 1000), retryAfter: 0 }
    );
  }

  /** Takes one counted call back, for a call that failed. */
  giveBack(limits: readonly CallLimit[]): void {
    const now = this.clock.now();
    for (const { caller } of limits) {
      const window = this.#windowOf(caller, now);
      this.#count(caller, window, window.used > 0 ? -1 : 0);
    }
  }

  /** Adds calls to a window. Only a window with calls is kept. */
  #count(caller: string, window: Window, calls: number): void {
    if (calls === 0) return;
    if (this.#windows.get(caller) !== window) this.#keep(caller, window);
    window.used += calls;
    if (!this.sharing.shared) return;
    window.own += calls;
    this.#shareSoon();
  }

  #shareSoon(): void {
    if (this.#isSharing) return;
    this.#isSharing = true;
    this.clock.after(SHARE_AFTER_MS, () => {
      const goOn = () => {
        this.#isSharing = false;
        if ([...this.#windows.values()].some(({ own }) => own !== 0)) this.#shareSoon();
      };
      this.#share().then(goOn, (error) => {
        // Each process limits only its own calls until the database is available again.
        if (!(error instanceof StoreClosedError)) goOn();
      });
    });
  }

  async #share(): Promise<void> {
    const { shared, name } = this.sharing;
    const now = this.clock.now();
    // Calls of a window that has ended must not count in the next one.
    for (const window of this.#windows.values()) if (window.endsAt <= now) window.own = 0;
    const open = [...this.#windows].filter(([, { own }]) => own !== 0);
    if (open.length === 0) return;
    const calls = open.map(([caller, { endsAt, own }]) => ({ caller: `${name} ${caller}`, endsAt, calls: own }));
    const all = await shared?.countCalls(calls, now);
    for (const [index, [, window]] of open.entries()) {
      const [sent, known] = [calls[index], all?.[index]];
      if (!sent || !known) continue;
      window.own -= sent.calls;
      window.used = known.calls + window.own;
      window.endsAt = known.endsAt;
    }
  }

  #windowOf(caller: string, now: number): Window {
    const current = this.#windows.get(caller);
    // A window that ends more than a minute from now began before the clock was set back.
    if (current && current.endsAt > now && current.endsAt <= now + MINUTE_MS) return current;
    return { endsAt: now + MINUTE_MS, used: 0, own: 0 };
  }

  /** Keeps a window, and deletes the oldest ones: those that have ended, and those beyond the maximum. */
  #keep(caller: string, window: Window): void {
    this.#windows.delete(caller);
    for (const [oldest, { endsAt }] of this.#windows) {
      if (endsAt > window.endsAt - MINUTE_MS && this.#windows.size < WINDOWS_MAX) break;
      this.#windows.delete(oldest);
    }
    this.#windows.set(caller, window);
  }
}
