import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { maskSecrets } from '../../contract/vocabulary/helpers/mask-secrets.js';
import { USER_AGENT_CHARACTERS } from '../../contract/vocabulary/limits.js';
import { CONTROL_PREFIX } from '../../contract/vocabulary/routes.js';
import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';
import type { Clock } from '../../core/ports.js';
import type { RequestLog } from '../../core/streams/request-log.js';
import { isOwnCall } from '../in-process.js';

/** Maximum characters of a path that the request log and the report of warnings keep. */
export const PATH_CHARACTERS = 2_000;

/**
 * Records every request and its response status in the request log, except calls to the control API and svc's own
 * calls. Leaves out keys, queries and bodies.
 */
const plugin: FastifyPluginAsync<{ log: RequestLog; clock: Clock }> = async (server, { log, clock }) => {
  server.addHook('onResponse', async (request, reply) => {
    if (isOwnCall(request)) return;
    const [path = ''] = request.url.split('?', 1);
    if ((request.routeOptions.url ?? path).startsWith(`${CONTROL_PREFIX}/`)) return;
    log.append({
      id: request.id,
      createdAt: clock.now(),
      method: request.method,
      path: maskSecrets(path.slice(0, PATH_CHARACTERS)),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      keyId: request.apiKey?.id ?? null,
      userAgent: readUserAgent(request.headers['user-agent']),
      errorCode: request.errorCode,
      warnings: request.warnings?.map(withoutSecrets) ?? [],
    });
  });
};

export function readUserAgent(text: string | undefined): string | null {
  return text === undefined ? null : maskSecrets(text.slice(0, USER_AGENT_CHARACTERS));
}

export function withoutSecrets({ code, path, message }: ServiceWarning): ServiceWarning {
  return { code, path: maskSecrets(path), message: maskSecrets(message) };
}

export const requestLog = fp(plugin);
