import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import Fastify, { type FastifyRequest } from 'fastify';
import type {
  PreviewChecks,
  PreviewChoice,
  PreviewFolder,
  SentPreview,
  TemplatePreview,
} from '../contract/control/template-preview.js';
import { clientViews } from '../contract/vocabulary/client-views.js';
import { ServiceError } from '../contract/vocabulary/errors.js';
import { PREVIEW_PATH } from '../contract/vocabulary/inbox.js';
import type { FrameParameters } from '../core/inbox/content-urls.js';
import {
  ProcessorUnavailableError,
  type RewriteForFrame,
  type ShowAsClient,
  UnprocessableError,
} from '../core/ports.js';
import { packageDirectory } from '../package-directory.js';
import { framePolicy, htmlForClient, requireClient, withLinks } from './inbox/frame.js';
import { sendMessagePage } from './inbox/message-page.js';
import { sendBuiltPage, serveAssets } from './inbox/pages.js';
import { isOwnConnection, listsOwners } from './inbox/socket-owner.js';
import { hostAndOrigin } from './plugins/host-and-origin.js';
import { jsonBody } from './plugins/json-body.js';
import { asServiceError } from './response/envelope.js';
import { PRIVATE_HEADERS, SAFE_HEADERS } from './response/headers.js';
import { FASTIFY_OPTIONS } from './server.js';

/** Serves the page of `svc templates dev` on loopback, to programs of this user only where the system tells users. */

export interface PreviewSource {
  folder(): Promise<PreviewFolder>;
  render(choice: PreviewChoice): Promise<TemplatePreview>;
  check(choice: PreviewChoice): Promise<PreviewChecks>;
  send(choice: PreviewChoice, to: string): Promise<SentPreview>;
}

export interface PreviewServerOptions {
  source: PreviewSource;
  rewriteForFrame: RewriteForFrame;
  showAsClient: ShowAsClient;
  /** Returns a text that cannot be guessed. */
  secret(characters: number): string;
  /** 0 for any free port. */
  port: number;
}

export interface PreviewServer {
  /** Ends without a slash. */
  url: string;
  /** Tells all pages that the folder has changed. */
  changed(): void;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const BODY_BYTES = 4_096;
const NONCE_CHARACTERS = 22;

type Chosen = { Querystring: Partial<PreviewChoice> & FrameParameters };

/** Starts the server. @throws the error of the system if the port cannot be used. */
export async function startPreviewServer({ port, ...options }: PreviewServerOptions): Promise<PreviewServer> {
  const { source, rewriteForFrame, showAsClient, secret } = options;
  const root = join(packageDirectory(), 'dist', 'web');
  const knowsOwners = await listsOwners();
  /** Connections of this user. To find the user of one takes milliseconds. */
  const ownSockets = new WeakSet<Socket>();
  const pages = new Set<ServerResponse>();
  const urlOf = () => `http://${HOST}:${(server.server.address() as AddressInfo).port}`;

  const server = Fastify({ ...FASTIFY_OPTIONS, bodyLimit: BODY_BYTES, forceCloseConnections: true });
  server.register(jsonBody);
  server.register(hostAndOrigin, { allowedHosts: new Set<string>(), publicUrl: urlOf });
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...SAFE_HEADERS, ...PRIVATE_HEADERS });
    const { socket } = request;
    if (knowsOwners && !ownSockets.has(socket) && !(await isOwnConnection(socket))) {
      throw new ServiceError('forbidden', 'This page is for the user who runs "svc templates dev".');
    }
    ownSockets.add(socket);
  });
  server.setErrorHandler((error, request, reply) => {
    const { status, message, hint } = asServiceError(error, request);
    return reply.code(status).send({ message, hint });
  });

  server.get('/', async (_, reply) => sendBuiltPage(reply, join(root, 'templates.html'), secret(NONCE_CHARACTERS)));
  serveAssets(server, () => root);
  server.get(`${PREVIEW_PATH}/folder`, () => source.folder());
  server.get<Chosen>(`${PREVIEW_PATH}/rendered`, ({ query }) => source.render(choiceOf(query)));
  server.get<Chosen>(`${PREVIEW_PATH}/checks`, ({ query }) => source.check(choiceOf(query)));
  // A frame without an origin asks for it.
  server.get<Chosen>(`${PREVIEW_PATH}/html`, { config: { anyOrigin: true } }, async (request, reply) => {
    const { remote, color_scheme } = request.query;
    const { html } = await source.render(choiceOf(request.query));
    const isRemote = remote === 'yes';
    const options = {
      remote: isRemote,
      contentUrls: new Map(),
      ownHosts: [request.host],
      colorScheme: color_scheme,
    };
    const frame = await htmlForClient(html, request.query, { showAsClient })
      .then((shown) => rewriteForFrame(shown, options))
      .catch(limitMessage);
    if (typeof frame === 'string') {
      const page = { title: 'The HTML of this template cannot be shown', content: `<p>${frame}</p>` };
      return sendMessagePage(reply, 422, page, { ids: { secret }, isFramed: true });
    }
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header(
        'content-security-policy',
        framePolicy({ contentUrl: urlOf(), hosts: isRemote ? frame.hosts : undefined }),
      )
      .send(withLinks(frame, (link) => link));
  });
  server.get<Chosen>(`${PREVIEW_PATH}/view`, async ({ query }) => {
    const { html, subject } = await source.render(choiceOf(query));
    const client = requireClient(
      query.client ?? '',
      clientViews.map(({ name }) => name),
    );
    const isDark = query.color_scheme === 'dark';
    const input = { html, subject, client: client.name, isDark, hasImages: query.images !== 'off' };
    const view = await showAsClient(input).catch(limitMessage);
    if (typeof view === 'string') throw new ServiceError('conflict', view);
    return view;
  });
  server.post(`${PREVIEW_PATH}/send`, async (request) => {
    requireOwnPage(request);
    const { to, ...choice } = (request.body ?? {}) as Partial<PreviewChoice> & { to?: unknown };
    if (typeof to !== 'string') throw new ServiceError('bad_request', 'The body must have the address "to".');
    return source.send(choiceOf(choice), to);
  });
  server.get(`${PREVIEW_PATH}/events`, async ({ raw }, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', ...SAFE_HEADERS, ...PRIVATE_HEADERS });
    reply.raw.write(': connected\n\n');
    pages.add(reply.raw);
    await once(raw.socket, 'close');
    pages.delete(reply.raw);
  });

  await server.listen({ host: HOST, port });
  return {
    url: urlOf(),
    changed() {
      for (const page of pages) page.write('data: changed\n\n');
    },
    close: () => server.close(),
  };
}

/** Returns the reason of content that exceeds the limits. @throws any other error. */
function limitMessage(error: unknown): string {
  if (error instanceof UnprocessableError || error instanceof ProcessorUnavailableError) return error.message;
  throw error;
}

function choiceOf({ template, sample = '' }: Partial<PreviewChoice>): PreviewChoice {
  if (typeof template !== 'string' || typeof sample !== 'string') {
    throw new ServiceError('bad_request', 'Name a template, and a file of its sample data.');
  }
  return { template, sample };
}

/** Other programs have the command line. */
function requireOwnPage({ headers }: FastifyRequest): void {
  if (headers.origin !== undefined) return;
  throw new ServiceError('forbidden', 'Only the page sends templates.', undefined, 'Use "svc emails send" instead.');
}
