import { RATE_LIMIT_RESET_HEADER, RETRY_AFTER_HEADER } from '../contract/vocabulary/headers.js';
import type { Route } from '../contract/vocabulary/routes.js';
import { isLocalOutage, isPermanent, UnreachableError } from './failures.js';
import { wasNotSent } from './writes.js';

/** Retries failed calls, with a growing pause. Specification: Limits, 3. */

export interface RetryPolicy {
  /** The number of retries after the first attempt. */
  retries: number;
  /** Also retries calls that are not idempotent: an email may then be sent twice. */
  repeatSends?: boolean;
  /**
   * Also retries if a server on this machine refuses the connection or times out. By default that is reported at once,
   * because usually the server was stopped.
   */
  localOutages?: boolean;
  pause(milliseconds: number): Promise<void>;
  /** Milliseconds that are left for the whole command; no pause exceeds them. */
  timeLeft?(): number;
  /** This machine's time in milliseconds, for a response without a date. */
  now?(): number;
  /** Called before each pause. */
  onRetry?(notice: RetryNotice): void;
}

export interface RetryNotice {
  reason: string;
  waitMs: number;
  /** The attempt that comes next, the first being 1. */
  attempt: number;
  maxRetries: number;
}

/** A response that was read to its end. */
export interface Exchange {
  status: number;
  headers: { get(name: string): string | null };
  text: string;
}

const WAIT = { firstMs: 500, longestMs: Number.POSITIVE_INFINITY };
/** The window of the rate limit. A longer wait is not waited for: a used-up quota lasts for weeks. */
export const WINDOW_MS = 60_000;
const NOT_IMPLEMENTED = 501;
const TOO_MANY = 429;
const UNAVAILABLE = 503;

/**
 * Performs a call, and retries while the policy and the method allow it: reads and deletes on 429, 5xx, connections that
 * fail and time-outs. Writes are repeated only after 429, and 503 with Retry-After, which say that nothing was done.
 * `uncertain` means that an earlier attempt may have taken effect unseen.
 * @throws what the last attempt threw.
 */
export async function retrying(
  method: Route['method'],
  attemptOnce: () => Promise<Exchange>,
  policy: RetryPolicy | undefined,
): Promise<Exchange & { uncertain: boolean }> {
  const repeatable = method === 'GET' || method === 'DELETE' || policy?.repeatSends === true;
  const maxRetries = policy ? policy.retries + 1 : 1;
  let uncertain = false;
  let waitedMs = 0;
  const backoff = new Backoff(WAIT);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce().catch((error: unknown) => error as Error);
    const wait = policy && nextWait(outcome, backoff.ms, { repeatable, policy });
    // Without a hint of the server, a rate limit lasts up to its window.
    const isLast = wait?.unknown ? waitedMs >= WINDOW_MS || maxRetries === 1 : attempt >= maxRetries;
    if (wait === undefined || isLast || wait.ms > (policy?.timeLeft?.() ?? Number.POSITIVE_INFINITY)) {
      if (outcome instanceof Error) throw outcome;
      return { ...outcome, uncertain };
    }
    const isAnswer = !(outcome instanceof Error);
    const reason = isAnswer ? `The server responded ${outcome.status}` : outcome.message;
    if (isAnswer ? !refusedUndone(outcome) : !wasNotSent(outcome)) uncertain = true;
    policy?.onRetry?.({ reason, waitMs: wait.ms, attempt: attempt + 1, maxRetries: Math.max(maxRetries, attempt + 1) });
    await policy?.pause(wait.ms);
    waitedMs += wait.ms;
    backoff.grow();
  }
}

/** Returns the pause before the next attempt; undefined when no retry is allowed. */
function nextWait(
  outcome: Exchange | Error,
  backoffMs: number,
  { repeatable, policy }: { repeatable: boolean; policy: RetryPolicy },
): { ms: number; unknown?: boolean } | undefined {
  if (outcome instanceof Error) return repeatable && isTemporary(outcome, policy) ? { ms: backoffMs } : undefined;
  const { status, headers } = outcome;
  if (status !== TOO_MANY && (status < 500 || status === NOT_IMPLEMENTED)) return undefined;
  if (!repeatable && !refusedUndone(outcome)) return undefined;
  const asked = retryAfterMs(headers) ?? (status === TOO_MANY ? resetMs(headers, policy) : undefined);
  if (asked === undefined) return { ms: backoffMs, unknown: status === TOO_MANY };
  return asked <= WINDOW_MS ? { ms: asked } : undefined;
}

/** Returns whether a response means that the server did nothing. */
function refusedUndone({ status, headers }: Exchange): boolean {
  return status === TOO_MANY || (status === UNAVAILABLE && retryAfterMs(headers) !== undefined);
}

function isTemporary(error: Error, policy: RetryPolicy): boolean {
  if (!(error instanceof UnreachableError) || isPermanent(error)) return false;
  return policy.localOutages === true || !isLocalOutage(error);
}

/** Returns Retry-After in milliseconds. RFC 9110 section 10.2.3: seconds, or a date, relative to the response's own. */
export function retryAfterMs(headers: Exchange['headers']): number | undefined {
  const value = headers.get(RETRY_AFTER_HEADER)?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const wait = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Returns the time until X-RateLimit-Reset in milliseconds. Services send Unix seconds, or seconds from now. */
function resetMs(headers: Exchange['headers'], { now }: RetryPolicy): number | undefined {
  const value = headers.get(RATE_LIMIT_RESET_HEADER)?.trim() ?? '';
  if (!/^\d+(?:\.\d+)?$/.test(value)) return undefined;
  const ms = Number(value) * 1_000;
  const date = Date.parse(headers.get('date') ?? '');
  const at = Number.isNaN(date) ? now?.() : date;
  const waits = [ms, ...(at === undefined ? [] : [ms - at])];
  return waits.find((wait) => wait >= 0 && wait <= WINDOW_MS) ?? waits.filter((wait) => wait >= 0).at(-1);
}

/** A wait between attempts that grows with each failure. */
export class Backoff {
  readonly #limits: { firstMs: number; longestMs: number };
  #ms: number;

  constructor(limits: { firstMs: number; longestMs: number }) {
    this.#limits = limits;
    this.#ms = limits.firstMs;
  }

  /** The current wait, in milliseconds. */
  get ms(): number {
    return this.#ms;
  }

  grow(factor = 2): void {
    this.#ms = Math.min(this.#ms * factor, this.#limits.longestMs);
  }

  reset(): void {
    this.#ms = this.#limits.firstMs;
  }
}
