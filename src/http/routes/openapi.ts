import type { FastifyInstance } from 'fastify';
import type { DocumentOptions } from '../../contract/openapi/document.js';
import { lazy } from '../../contract/vocabulary/helpers/lazy.js';
import { CONTROL_PREFIX, SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import { originOf } from '../inbox/browser.js';
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
  basePath: string;
  /** Returns the origin at which clients reach the server. */
  publicUrl(): string;
}

/** Registers the routes of the OpenAPI documents, which are generated on the first request. */
export async function openApi(
  server: FastifyInstance,
  { version, controlEnabled, strict, basePath, publicUrl }: OpenApiOptions,
): Promise<void> {
  const serve = (path: string, prefix: string, generate: (options: DocumentOptions) => Promise<object>) => {
    const document = lazy(() => generate({ version, server: { url: prefix, description: 'This server' } }));
    server.get(path, { config: { public: true } }, async (request, reply) => {
      // Absolute, because a client is generated from a saved file.
      const servers = [{ url: originOf(request, publicUrl()) + basePath + prefix, description: 'This server' }];
      return reply
        .headers(PRIVATE_HEADERS)
        .header('content-type', 'application/json; charset=utf-8')
        .send(JSON.stringify({ ...(await document()), servers }));
    });
  };
  serve(OPENAPI_PATH, SERVICE_PREFIX, async (options) => {
    const { serviceDocument, strictDocument } = await import('../../contract/openapi/service-document.js');
    const document = serviceDocument(options);
    return strict ? strictDocument(document) : document;
  });
  if (!controlEnabled) return;
  serve(CONTROL_OPENAPI_PATH, CONTROL_PREFIX, async (options) => {
    const { controlDocument } = await import('../../contract/openapi/control-document.js');
    return controlDocument(options);
  });
}
