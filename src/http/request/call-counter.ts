import type { FastifyReply, FastifyRequest } from 'fastify';
import { plans } from '../../contract/vocabulary/limits.js';
import { accountLimits, type CallLimit, RateLimiter, type RateLimitState } from '../../core/account/rate-limiter.js';
import type { Core } from '../../core/context.js';
import type { ApiKeyRecord } from '../../core/model/resources.js';
import { rateLimitHeaders } from '../response/headers.js';

/** Limits calls per minute. Specification: Rate limits by plan; gaps 31 and 32. */

/** Counts calls by API key and by workspace, or by address if the call has no valid key. */
export class CallCounter {
  readonly #limiter: RateLimiter;

  constructor(private readonly core: Core) {
    this.#limiter = new RateLimiter(core.clock, { shared: core.store.shared, name: 'http' });
  }

  /** Counts a request, and sets the rate limit headers of its response. */
  count({ apiKey, ip }: FastifyRequest, reply: FastifyReply): RateLimitState {
    const state = this.#limiter.take(this.#limitsOf(apiKey ?? null, ip));
    reply.headers(rateLimitHeaders(state));
    return state;
  }

  /** Counts a connection without a valid request. Returns the rate limit headers of its response. */
  countConnection(address: string): Record<string, number> {
    return rateLimitHeaders(this.#limiter.take(this.#limitsOf(null, address)));
  }

  #limitsOf(key: ApiKeyRecord | null, address: string): CallLimit[] {
    const { plan } = this.core;
    if (key) return accountLimits(plan, { key, workspace: key.workspace });
    const { requestsPerMinute: limit } = plans[plan];
    return limit === null ? [] : [{ caller: address, limit }];
  }
}
