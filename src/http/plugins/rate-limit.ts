import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { RETRY_AFTER_HEADER } from '../../contract/vocabulary/headers.js';
import { plans } from '../../contract/vocabulary/limits.js';
import { SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import type { Core } from '../../core/context.js';
import type { ApiKeyRecord } from '../../core/model/resources.js';
import { accountLimits, type CallLimit, RateLimiter, type RateLimitState } from '../../core/resources/rate-limiter.js';
import { isOwnCall } from '../in-process.js';
import { rateLimitHeaders } from '../response/rate-limit-headers.js';

/** Limits calls per minute. Specification: Rate limits by plan; gaps 31 and 32. */

/** Counts calls by API key and by account, or by address if the call has no valid key. */
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
    if (key) return accountLimits(plan, key);
    const { requestsPerMinute: limit } = plans[plan];
    return limit === null ? [] : [{ caller: address, limit }];
  }
}

const plugin: FastifyPluginAsync<{ counter: CallCounter }> = async (server, { counter }) => {
  server.addHook('onRequest', async (request, reply) => {
    if (!isRateLimited(request)) return;
    const { limit, retryAfter } = counter.count(request, reply);
    if (retryAfter === 0) return;
    reply.header(RETRY_AFTER_HEADER, retryAfter);
    throw new ServiceError('rate_limited', `More than ${limit} requests in a minute; try again in ${retryAfter} s.`);
  });
};

export const rateLimit = fp(plugin);

/**
 * Returns whether a request counts, which applies to all calls to the service. Checks the route, because one path has
 * several spellings.
 */
export function isRateLimited(request: FastifyRequest): boolean {
  if (isOwnCall(request)) return false;
  const { url, routeOptions } = request;
  const path = routeOptions?.url ?? url;
  return path.startsWith(SERVICE_PREFIX) && ['/', '?', undefined].includes(path[SERVICE_PREFIX.length]);
}
