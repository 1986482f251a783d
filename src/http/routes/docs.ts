import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { DocumentOptions } from '../../contract/openapi/document.js';
import { lazy } from '../../contract/vocabulary/lazy.js';
import { CONTROL_PREFIX, SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import { packageDirectory } from '../../package-directory.js';
import { originOf } from '../inbox/session.js';
import { PRIVATE_HEADERS } from '../response/headers.js';

/** Paths of the OpenAPI documents. They are public, so they need no API key. */
const OPENAPI_PATH = `${SERVICE_PREFIX}/openapi.json`;
const CONTROL_OPENAPI_PATH = `${CONTROL_PREFIX}/openapi.json`;

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

/** Serves the API reference: Swagger UI with the OpenAPI documents. Its files are read on request. */

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

/** The documents, each with its page. Only a server with a control API has the second one. */
const SERVICE = { path: DOCS_PATH, title: 'Service API', document: OPENAPI_PATH };
const CONTROL = {
  path: `${DOCS_PATH}/control`,
  title: 'Control API (local server only)',
  document: CONTROL_OPENAPI_PATH,
};
type Reference = typeof SERVICE;

/** Returns the page of a reference, with links to the others. Classes are those of Swagger UI's style sheet. */
function page({ title, document }: Reference, others: readonly Reference[], basePath: string): string {
  const links = others.map((other) => `<a class="link" href="${basePath}${other.path}">${other.title}</a>`);
  const choice = links.length === 0 ? '' : `<p>${title} · ${links.join(' · ')}</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${basePath}${DOCS_PATH}/swagger-ui.css">
</head>
<body>
<nav class="swagger-ui"><div class="wrapper"><div class="renderedMarkdown">${choice}</div></div></nav>
<div id="reference" data-document="${basePath}${document}"></div>
<noscript>This page needs JavaScript. The reference itself is at <a href="${basePath}${document}">${basePath}${document}</a>.</noscript>
<script src="${basePath}${DOCS_PATH}/swagger-ui-bundle.js"></script>
<script src="${basePath}${DOCS_PATH}/start.js"></script>
</body>
</html>
`;
}

const START = `SwaggerUIBundle({
  url: document.getElementById('reference').dataset.document,
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
export async function docs(
  server: FastifyInstance,
  { controlEnabled, basePath }: { controlEnabled: boolean; basePath: string },
): Promise<void> {
  const publicRoute = { config: { public: true } };
  const references = controlEnabled ? [SERVICE, CONTROL] : [SERVICE];
  for (const reference of references) {
    const html = page(
      reference,
      references.filter((other) => other !== reference),
      basePath,
    );
    for (const path of [reference.path, `${reference.path}/`]) {
      server.get(path, publicRoute, async (_request, reply) => send(reply, 'text/html; charset=utf-8', html));
    }
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
