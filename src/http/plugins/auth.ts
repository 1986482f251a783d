import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Core } from '../../core/context.js';
import type { ApiKeyRecord } from '../../core/model/resources.js';
import { authenticate } from '../../core/resources/api-keys.js';
import { unknownPath } from '../response/unknown-path.js';
import { isRateLimited } from './rate-limit.js';

/** Authenticates calls by their API key. Specification: Authentication. */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts calls without an API key. */
    public?: boolean;
  }
  interface FastifyRequest {
    /** The API key of the call. Every handler of a route that is not public has one. */
    apiKey: ApiKeyRecord | null;
    /** The reason why the call has no valid API key. */
    authError: unknown;
  }
}

const plugin: FastifyPluginAsync<{ core: Core }> = async (server, { core }) => {
  server.decorateRequest('apiKey', null);
  server.decorateRequest('authError', null);
  server.addHook('onRequest', async (request) => {
    if (!needsKey(request)) return;
    try {
      request.apiKey = await authenticate(request.headers.authorization, core);
    } catch (error) {
      request.authError = error;
    }
  });
  // Runs after the rate limit, so that calls without a valid key count, and their responses have its headers.
  server.addHook('preParsing', async (request) => {
    if (request.authError) throw request.authError;
    // Before the body is read: what it contains does not matter.
    if (request.is404) throw unknownPath(request);
  });
};

/** Returns whether a call needs an API key. Unknown paths under the service's prefix do; other unknown paths do not. */
function needsKey(request: FastifyRequest): boolean {
  const isPublic = request.routeOptions.config.public === true;
  return !isPublic && (!request.is404 || isRateLimited(request));
}

export const auth = fp(plugin);
