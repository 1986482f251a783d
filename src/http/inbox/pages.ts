import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { INBOX_ASSETS_PATH, INBOX_PATH } from '../../contract/vocabulary/inbox.js';
import type { Core } from '../../core/context.js';
import { TICKET_CHARACTERS } from '../../core/inbox/tickets.js';
import { packageDirectory } from '../../package-directory.js';
import { acceptsEncoding, PRIVATE_HEADERS } from '../response/headers.js';
import { unknownPath } from '../response/unknown-path.js';
import { inboxCookieName, inboxCookies, isNavigation, originOf } from './session.js';

/** Serves the page of the web inbox and its assets, which the build compresses. Files are read on request. */

/** In the page's HTML, stand for the nonce that style sheets of scripts carry, and for the base path. */
const NONCE_PLACEHOLDER = '{{nonce}}';
const BASE_PLACEHOLDER = '{{base}}';

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Media types of assets by extension. */
const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
};

/** Encodings of compressed assets, in order of preference, with the extension of their files. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
];

/** The answer for programs, such as those that wait for a server or check that it runs. */
const FOR_PROGRAMS =
  'svc is running. The API is at /v1, its reference at /docs. Open this address in a browser for the web inbox.\n';

export interface PagesOptions {
  core: Core;
  basePath: string;
  /** The directory of the built page. */
  directory?: string | undefined;
}

export async function inboxPages(server: FastifyInstance, { core, basePath, directory }: PagesOptions): Promise<void> {
  const route = { config: { public: true, unlogged: true } };
  const root = () => directory ?? join(packageDirectory(), 'dist', 'web');
  for (const path of ['/', INBOX_PATH, `${INBOX_PATH}/*`]) {
    server.get(path, route, async (request, reply) => sendPage(request, reply, { root: root(), basePath, core }));
  }
  serveAssets(server, root);
}

/** Serves the scripts and style sheets of built pages. */
export function serveAssets(server: FastifyInstance, root: () => string): void {
  const route = { config: { public: true, unlogged: true } };
  server.get<{ Params: { file: string } }>(`${INBOX_ASSETS_PATH}:file`, route, async (request, reply) => {
    const { file } = request.params;
    const type = ASSET.test(file) ? types[file.slice(file.lastIndexOf('.') + 1)] : undefined;
    if (type === undefined) throw unknownPath(request);
    return sendAsset(request, reply, join(root(), 'assets', file), type);
  });
}

/** A file name without a directory. File systems have names of at most 255 bytes. */
const ASSET = /^\w[\w.-]{0,200}\.\w{1,20}$/;

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { root, basePath, core: { ids, publicUrl } }: { root: string; basePath: string; core: Core },
): Promise<FastifyReply> {
  reply.headers(PRIVATE_HEADERS).header('vary', 'Accept');
  if (!request.headers.accept?.includes('text/html')) {
    if (request.routeOptions.url?.endsWith('*')) throw unknownPath(request);
    return reply.type('text/plain; charset=utf-8').send(FOR_PROGRAMS);
  }
  const nonce = ids.secret(TICKET_CHARACTERS);
  if (isNavigation(request) && inboxCookies(request).length === 0) {
    const cookie = `${inboxCookieName(request)}=${ids.secret(TICKET_CHARACTERS)}`;
    const secure = originOf(request, publicUrl()).startsWith('https:') ? '; Secure' : '';
    reply.header('set-cookie', `${cookie}; HttpOnly; SameSite=Strict; Path=${basePath}/${secure}`);
  }
  return sendBuiltPage(reply, join(root, 'index.html'), nonce, basePath);
}

/** Sends a page of the build, which runs nothing but its own scripts. */
export async function sendBuiltPage(
  reply: FastifyReply,
  file: string,
  nonce: string,
  basePath = '',
): Promise<FastifyReply> {
  const html = await readFile(file, 'utf8').catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new ServiceError('not_found', 'The installation of svc has no web inbox.', undefined, 'Reinstall svc.');
  });
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', contentSecurityPolicy(nonce))
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .send(html.replaceAll(NONCE_PLACEHOLDER, nonce).replaceAll(BASE_PLACEHOLDER, basePath));
}

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  file: string,
  type: string,
): Promise<FastifyReply> {
  const accepted = request.headers['accept-encoding'] ?? '';
  const choices = [
    ...encodings.filter(({ name }) => acceptsEncoding(accepted, name)),
    { name: undefined, extension: '' },
  ];
  for (const { name, extension } of choices) {
    const path = file + extension;
    const found = await stat(path).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (!found?.isFile()) continue;
    if (name !== undefined) reply.header('content-encoding', name);
    return (
      reply
        .header('content-type', type)
        .header('content-length', found.size)
        .header('vary', 'Accept-Encoding')
        // The name changes with the content.
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(request.method === 'HEAD' ? undefined : createReadStream(path))
    );
  }
  throw unknownPath(request);
}
