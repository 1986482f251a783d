import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { CONTROL_PREFIX } from '../../contract/vocabulary/routes.js';
import type { Clock } from '../../core/ports.js';
import type { RequestLog } from '../../core/streams/logs.js';
import { isOwnCall } from '../in-process.js';
import { loggableError, loggablePath, loggableUserAgent, loggableWarning } from '../request/loggable.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the request log omits the route. */
    unlogged?: boolean;
  }
  interface FastifyRequest {
    /** Whether the request is in the request log. */
    isLogged: boolean;
  }
}

export interface RequestLogOptions {
  log: RequestLog;
  clock: Clock;
}

/**
 * Records every request and its response status in the request log, except calls to the control API, svc's own calls
 * and the pages of the inbox. Leaves out keys, queries and bodies.
 */
const plugin: FastifyPluginAsync<RequestLogOptions> = async (server, options) => {
  server.decorateRequest('isLogged', false);
  server.addHook('onResponse', async (request, reply) => logCall(request, reply, options));
};

export const requestLog = fp(plugin);

/** Records a request, unless it is already recorded. */
export function logCall(
  request: FastifyRequest,
  reply: FastifyReply,
  { log, clock }: RequestLogOptions,
  status = reply.statusCode,
): void {
  if (request.isLogged || isOwnCall(request) || request.routeOptions.config.unlogged) return;
  const [path = ''] = request.url.split('?', 1);
  if ((request.routeOptions.url ?? path).startsWith(`${CONTROL_PREFIX}/`)) return;
  request.isLogged = true;
  log.append({
    id: request.id,
    createdAt: clock.now(),
    method: request.method,
    path: loggablePath(path),
    status,
    ms: Math.round(reply.elapsedTime * 100) / 100,
    keyId: request.apiKey?.id ?? null,
    userAgent: loggableUserAgent(request.headers['user-agent']),
    ...loggableError(request.refusal),
    warnings: request.warnings?.map(loggableWarning) ?? [],
  });
}
