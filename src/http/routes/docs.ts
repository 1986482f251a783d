import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { packageDirectory } from '../../package-directory.js';
import { OPENAPI_PATH } from './openapi.js';

/** Serves the API reference: Swagger UI with the OpenAPI document. Its files are read on request. */

const DOCS_PATH = '/docs';

/** Allows no other origins and no inline scripts. Swagger UI's CSS contains icons as data: images. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${DOCS_PATH}/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The reference itself is at <a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a>.</noscript>
<script src="${DOCS_PATH}/swagger-ui-bundle.js"></script>
<script src="${DOCS_PATH}/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '${OPENAPI_PATH}',
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // By default it sends the document's address to a public validator.
  validatorUrl: 'none',
});
`;

/** Files that the build copies from the package swagger-ui-dist. */
const assets = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** Registers the routes of the API reference. */
export async function docs(server: FastifyInstance): Promise<void> {
  const publicRoute = { config: { public: true }, exposeHeadRoute: true };
  for (const path of [DOCS_PATH, `${DOCS_PATH}/`]) {
    server.get(path, publicRoute, async (_request, reply) => send(reply, 'text/html; charset=utf-8', PAGE));
  }
  server.get(`${DOCS_PATH}/start.js`, publicRoute, async (_request, reply) =>
    send(reply, 'text/javascript; charset=utf-8', START),
  );
  for (const [name, type] of Object.entries(assets)) {
    server.get(`${DOCS_PATH}/${name}`, publicRoute, async (_request, reply) =>
      send(reply, type, createReadStream(join(packageDirectory(), 'dist', 'docs', name))),
    );
  }
}

function send(reply: FastifyReply, type: string, body: string | NodeJS.ReadableStream): FastifyReply {
  return (
    reply
      .header('content-type', type)
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('referrer-policy', 'no-referrer')
      // Prevents access from pages that open this one or that it opens.
      .header('cross-origin-opener-policy', 'same-origin')
      .send(body)
  );
}
