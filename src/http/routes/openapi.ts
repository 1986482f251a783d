import type { FastifyInstance } from 'fastify';
import { lazy } from '../../contract/vocabulary/helpers/lazy.js';
import { SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import { PRIVATE_HEADERS } from '../response/safe-headers.js';

/** Path of the OpenAPI document. The document is public, so it needs no API key. */
export const OPENAPI_PATH = `${SERVICE_PREFIX}/openapi.json`;

/** Registers the route of the OpenAPI document, which is generated on the first request. */
export async function openApi(server: FastifyInstance, { version }: { version: string }): Promise<void> {
  const document = lazy(async () => {
    const { openApiDocument } = await import('../../contract/openapi/document.js');
    return JSON.stringify(openApiDocument({ version, server: { url: SERVICE_PREFIX, description: 'This server' } }));
  });
  server.get(OPENAPI_PATH, { config: { public: true }, exposeHeadRoute: true }, async (_request, reply) => {
    return reply
      .headers(PRIVATE_HEADERS)
      .header('content-type', 'application/json; charset=utf-8')
      .send(await document());
  });
}
