import type { FastifyInstance } from 'fastify';
import { lazy } from '../../contract/vocabulary/helpers/lazy.js';
import { SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import { PRIVATE_HEADERS } from '../response/safe-headers.js';

/** Where the service describes itself. A reference is no secret, so it takes no key. */
export const OPENAPI_PATH = `${SERVICE_PREFIX}/openapi.json`;

/** Serves the OpenAPI document, which is made when it is first asked for. */
export function serveOpenApi(server: FastifyInstance, version: () => string): void {
  const document = lazy(async () => {
    const { openApiDocument } = await import('../../contract/openapi/document.js');
    return JSON.stringify(
      openApiDocument({ version: version(), server: { url: SERVICE_PREFIX, description: 'This server' } }),
    );
  });
  server.get(OPENAPI_PATH, { config: { public: true }, exposeHeadRoute: true }, async (_request, reply) => {
    return reply
      .headers(PRIVATE_HEADERS)
      .header('content-type', 'application/json; charset=utf-8')
      .send(await document());
  });
}
