import { RETRY_AFTER_HEADER } from '../contract/vocabulary/headers.js';
import type { Route } from '../contract/vocabulary/routes.js';
import { Backoff } from './backoff.js';
import { isLocalOutage, isPermanent, UnreachableError } from './failures.js';

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
/** A longer Retry-After is not waited for: the rate limit's window is a minute, a used-up quota lasts for weeks. */
const LONGEST_WAIT_MS = 60_000;
const NOT_IMPLEMENTED = 501;

/**
 * Performs a call, and retries while the policy and the method allow it: on 429, 5xx, connections that fail and
 * time-outs. `uncertain` means that an earlier attempt may have taken effect unseen.
 * @throws what the last attempt threw.
 */
export async function retrying(
  method: Route['method'],
  attemptOnce: () => Promise<Exchange>,
  policy: RetryPolicy | undefined,
): Promise<Exchange & { uncertain: boolean }> {
  const repeatable = method === 'GET' || method === 'DELETE' || policy?.repeatSends === true;
  const maxRetries = policy && repeatable ? policy.retries + 1 : 1;
  let uncertain = false;
  const backoff = new Backoff(WAIT);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce().catch((error: unknown) => error);
    const failed = outcome instanceof Error;
    if (failed && !isTemporary(outcome, policy)) throw outcome;
    const waitMs = failed ? backoff.ms : waitBefore(outcome as Exchange, backoff.ms);
    if (attempt >= maxRetries || waitMs === undefined) {
      if (failed) throw outcome;
      return { ...(outcome as Exchange), uncertain };
    }
    const reason = failed ? outcome.message : `The server responded ${(outcome as Exchange).status}`;
    if (failed || (outcome as Exchange).status !== 429) uncertain = true;
    policy?.onRetry?.({ reason, waitMs, attempt: attempt + 1, maxRetries });
    await policy?.pause(waitMs);
    backoff.grow();
  }
}

function isTemporary(error: Error, policy: RetryPolicy | undefined): boolean {
  if (!(error instanceof UnreachableError) || isPermanent(error)) return false;
  return policy?.localOutages === true || !isLocalOutage(error);
}

/** Returns the pause before the next attempt, by default `backoffMs`; undefined when no retry is allowed. */
function waitBefore({ status, headers }: Exchange, backoffMs: number): number | undefined {
  if (status !== 429 && (status < 500 || status === NOT_IMPLEMENTED)) return undefined;
  const asked = retryAfterMs(headers);
  if (asked === undefined) return backoffMs;
  return asked <= LONGEST_WAIT_MS ? asked : undefined;
}

/** Returns Retry-After in milliseconds. RFC 9110 section 10.2.3: seconds, or a date, relative to the response's own. */
function retryAfterMs(headers: Exchange['headers']): number | undefined {
  const value = headers.get(RETRY_AFTER_HEADER)?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const wait = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
