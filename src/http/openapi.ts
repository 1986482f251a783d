import type { FastifyInstance } from 'fastify';
import { SERVICE_PREFIX } from '../contract/routes.js';

/** Where the service describes itself. A reference is no secret, so it takes no key. */
export const OPENAPI_PATH = `${SERVICE_PREFIX}/openapi.json`;

/** Serves the OpenAPI document, which is made when it is first asked for. */
export function serveOpenApi(server: FastifyInstance, version: () => string): void {
  let document: Promise<string> | undefined;
  server.get(OPENAPI_PATH, { config: { open: true }, exposeHeadRoute: true }, async (_request, reply) => {
    document ??= import('../contract/openapi/document.js').then(({ openApiDocument }) =>
      JSON.stringify(
        openApiDocument({ version: version(), server: { url: SERVICE_PREFIX, description: 'This server' } }),
      ),
    );
    return reply.header('content-type', 'application/json; charset=utf-8').send(await document);
  });
}
