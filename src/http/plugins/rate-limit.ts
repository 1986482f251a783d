import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { RETRY_AFTER_HEADER } from '../../contract/vocabulary/headers.js';
import { SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import { isOwnCall } from '../in-process.js';
import type { CallCounter } from '../request/call-counter.js';

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
