import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { CONTROL_PREFIX } from '../../contract/vocabulary/routes.js';
import type { Clock } from '../../core/ports.js';
import type { RequestLog } from '../../core/streams/request-log.js';
import { isOwnCall } from '../in-process.js';
import { loggablePath, loggableUserAgent, loggableWarning } from '../request/loggable.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the request log omits the route. */
    unlogged?: boolean;
  }
}

/**
 * Records every request and its response status in the request log, except calls to the control API, svc's own calls
 * and the pages of the inbox. Leaves out keys, queries and bodies.
 */
const plugin: FastifyPluginAsync<{ log: RequestLog; clock: Clock }> = async (server, { log, clock }) => {
  server.addHook('onResponse', async (request, reply) => {
    if (isOwnCall(request) || request.routeOptions.config.unlogged) return;
    const [path = ''] = request.url.split('?', 1);
    if ((request.routeOptions.url ?? path).startsWith(`${CONTROL_PREFIX}/`)) return;
    log.append({
      id: request.id,
      createdAt: clock.now(),
      method: request.method,
      path: loggablePath(path),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      keyId: request.apiKey?.id ?? null,
      userAgent: loggableUserAgent(request.headers['user-agent']),
      errorCode: request.errorCode,
      warnings: request.warnings?.map(loggableWarning) ?? [],
    });
  });
};

export const requestLog = fp(plugin);
