import type { FastifyInstance } from 'fastify';
import { lazy } from '../../contract/vocabulary/helpers/lazy.js';
import { CONTROL_PREFIX, SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import { PRIVATE_HEADERS } from '../response/safe-headers.js';

/** Paths of the OpenAPI documents. They are public, so they need no API key. */
export const OPENAPI_PATH = `${SERVICE_PREFIX}/openapi.json`;
export const CONTROL_OPENAPI_PATH = `${CONTROL_PREFIX}/openapi.json`;

export interface OpenApiOptions {
  version: string;
  /** Whether the control API is enabled, and so described. */
  controlEnabled: boolean;
  /** Whether the server refuses requests with warnings. Then the document describes what it accepts. */
  strict: boolean;
}

/** Registers the routes of the OpenAPI documents, which are generated on the first request. */
export async function openApi(
  server: FastifyInstance,
  { version, controlEnabled, strict }: OpenApiOptions,
): Promise<void> {
  const description = 'This server';
  serve(server, OPENAPI_PATH, async () => {
    const { serviceDocument, strictDocument } = await import('../../contract/openapi/service-document.js');
    const document = serviceDocument({ version, server: { url: SERVICE_PREFIX, description } });
    return strict ? strictDocument(document) : document;
  });
  if (!controlEnabled) return;
  serve(server, CONTROL_OPENAPI_PATH, async () => {
    const { controlDocument } = await import('../../contract/openapi/control-document.js');
    return controlDocument({ version, server: { url: CONTROL_PREFIX, description } });
  });
}

function serve(server: FastifyInstance, path: string, generate: () => Promise<object>): void {
  const document = lazy(async () => JSON.stringify(await generate()));
  server.get(path, { config: { public: true } }, async (_request, reply) => {
    return reply
      .headers(PRIVATE_HEADERS)
      .header('content-type', 'application/json; charset=utf-8')
      .send(await document());
  });
}
