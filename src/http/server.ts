import { type IncomingMessage, maxHeaderSize, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import type { SignInHeader } from '../contract/vocabulary/access.js';
import { REQUEST_ID_HEADER } from '../contract/vocabulary/headers.js';
import { REQUEST_BODY_BYTES } from '../contract/vocabulary/limits.js';
import type { Core } from '../core/context.js';
import type { ControlDeps } from '../core/handlers/control/context.js';
import { inboxContent } from './inbox/content.js';
import type { ContentDeps } from './inbox/frame.js';
import { inboxPages } from './inbox/pages.js';
import { inboxLeave, inboxSession, type SessionDeps } from './inbox/session.js';
import type { MailpitAccess } from './mailpit/access.js';
import { type Operations, operations } from './operations/operations.js';
import { auth } from './plugins/auth.js';
import { errors } from './plugins/errors.js';
import { faults } from './plugins/faults.js';
import { hostAndOrigin } from './plugins/host-and-origin.js';
import { jsonBody } from './plugins/json-body.js';
import { rateLimit } from './plugins/rate-limit.js';
import { requestLog } from './plugins/request-log.js';
import { signIn } from './plugins/sign-in.js';
import { unfinishedBodies } from './plugins/unfinished-bodies.js';
import { warningReport } from './plugins/warning-report.js';
import { CallCounter } from './request/call-counter.js';
import { connectionRefuser, handleUnusualRequests } from './request/malformed.js';
import { acceptsEncoding, SAFE_HEADERS, SAFE_MAIL_HEADERS } from './response/headers.js';
import { controlApi } from './routes/control-api.js';
import { docs, openApi } from './routes/docs.js';
import { serviceApi, tracking } from './routes/service-api.js';

export type { MailpitAccess };

/** Private key and certificate chain, in PEM. */
interface TlsFiles {
  key: string;
  cert: string;
}

export interface HttpServerOptions {
  core: Core;
  control: ControlDeps;
  /** Records every request to the service in the request log. */
  logRequests: boolean;
  /** Host names that this server accepts besides those of loopback. */
  allowedHosts: ReadonlySet<string>;
  /** Checks every response against the contract. */
  checkResponses: boolean;
  /** The directory of the built inbox page (default: that of the installation). */
  webDirectory?: string | undefined;
  /** The path below which a proxy serves the server, such as `/mail` (default: none). */
  basePath?: string | undefined;
  /** Concurrent connections (default: HTTP_CONNECTIONS_MAX). */
  maxConnections?: number | undefined;
  /** Called with every fault of the server. */
  onInternalError(error: unknown, requestId: string): void;
  /** The certificate of a server with TLS (default: without). */
  tls?: TlsFiles | undefined;
  /** Addresses and networks of proxies, whose X-Forwarded-… headers are believed (default: none). */
  trustedProxies?: readonly string[] | undefined;
  /** The header in which these proxies name the person that they have signed in (default: none). */
  signInHeader?: SignInHeader | undefined;
  /** Serves the API of Mailpit too, and who needs no key for it (default: not served). */
  mailpit?: MailpitAccess | undefined;
  /** Probes, metrics and log of a server for a team. */
  operations?: Operations | undefined;
}

/**
 * Maximum concurrent connections; more are closed at once. Together with SMTP's, they leave file descriptors for other
 * files under a limit of 4,096.
 */
const HTTP_CONNECTIONS_MAX = 1_536;

/** Milliseconds of system time for a request to arrive. The largest archive takes half of them on a slow machine. */
const REQUEST_TIMEOUT_MS = 3_600_000;

/**
 * Milliseconds of system time for the headers of a request, and between checks of it. An SMTP client on this port, which
 * waits for a greeting, gets an answer before its own limit, usually 30 seconds.
 */
const HEADERS_TIMEOUT_MS = 20_000;
const CHECK_INTERVAL_MS = 5_000;

/** Returns the options of Node's server. */
function protocol(tls: TlsFiles | undefined): { http: ServerOptions } {
  // Node.js rejects requests without Host and sends no body. The plugin hostAndOrigin rejects them instead.
  const options = {
    requireHostHeader: false,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  };
  // The types of fastify tell servers with TLS apart, and nothing here does.
  return (tls ? { https: { ...options, ...tls } } : { http: options }) as { http: ServerOptions };
}

/** Creates the HTTP server with the service under /v1 and the control API under /_svc. Does not listen yet. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { core, control, checkResponses, onInternalError, allowedHosts, basePath = '' } = options;
  const { strict } = core;
  const counter = new CallCounter(core);
  const refuse = connectionRefuser(core, counter);
  const server: FastifyInstance = Fastify({
    ...protocol(options.tls),
    bodyLimit: REQUEST_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A request on a connection that was accepted before the server stopped listening is answered.
    return503OnClosing: false,
    ...(options.trustedProxies?.length && { trustProxy: [...options.trustedProxies] }),
    // The router's default limit is shorter than a domain name may be. Node.js limits the whole request line.
    routerOptions: { maxParamLength: maxHeaderSize },
    ...FASTIFY_OPTIONS,
    ...(basePath !== '' && { rewriteUrl: ({ url = '' }: IncomingMessage) => withoutBasePath(url, basePath) }),
    genReqId: () => core.ids.next('req', core.clock.now()),
    exposeHeadRoutes: true,
    // Idle connections are closed at once. Open streams end with the signal `stopping`.
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => server.errorHandler(error, request, reply),
    clientErrorHandler: (error, socket) => refuse.malformed(socket, error),
  });
  keepUnsentResponses(server.server);
  server.server.maxConnections = options.maxConnections ?? HTTP_CONNECTIONS_MAX;
  handleUnusualRequests(server.server, refuse.tunnel);

  // Order matters: hooks run in the order of registration.
  server.register(jsonBody);
  server.register(errors, { core, counter, checkResponses, onInternalError, stopping: control.stopping });
  server.register(responseHeaders);
  server.register(hostAndOrigin, { allowedHosts, publicUrl: core.publicUrl, access: core.access });
  server.register(signIn, { header: options.signInHeader, trustedProxies: options.trustedProxies ?? [] });
  server.register(auth, { core, inbox: control.inbox });
  server.register(rateLimit, { counter });
  server.register(unfinishedBodies);
  server.register(warningReport, { tally: core.warningTally, clock: core.clock, strict: core.strict });
  const logged = options.logRequests ? { log: control.requestLog, clock: core.clock } : undefined;
  if (logged) server.register(requestLog, logged);
  if (options.operations) server.register(operations, options.operations);
  server.register(faults, { faults: control.faults, logged });
  server.register(compression);

  server.register(serviceApi, { core, strict, checkResponses });
  server.register(controlApi, { core, control, strict, checkResponses });
  server.register(inbox, { core, control, basePath, webDirectory: options.webDirectory });
  server.register(tracking, { core });
  const { controlEnabled } = control;
  const { version } = control.describe();
  // Loaded only where it is used.
  if (options.mailpit) {
    const { mailpit } = await import('./mailpit/routes.js');
    server.register(mailpit, { core, control, basePath, access: options.mailpit, onInternalError });
  }
  server.register(openApi, { version, controlEnabled, strict, basePath, publicUrl: core.publicUrl });
  server.register(docs, { controlEnabled, basePath });
  await server.ready();
  return server;
}

/**
 * Returns a URL for the router. One without the base path stays as it is: a proxy may remove it, and probes and commands
 * of this machine need no proxy.
 */
function withoutBasePath(url: string, basePath: string): string {
  const rest = url.startsWith(basePath) ? url.slice(basePath.length) : undefined;
  if (rest === undefined || !/^(?:[/?]|$)/.test(rest)) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Sets the headers of every response: the request ID, and restrictions for browsers. */
const responseHeadersPlugin: FastifyPluginAsync = async (server) => {
  server.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    reply.headers(request.routeOptions.config.anyOrigin ? SAFE_MAIL_HEADERS : SAFE_HEADERS);
  });
};

const responseHeaders = fp(responseHeadersPlugin);

/**
 * Makes `closeIdleConnections` of a server leave connections whose response is not sent yet. Node.js treats a response
 * as sent when it was written to the socket, so clients that read slowly would lose the rest of it.
 */
function keepUnsentResponses(server: Server): void {
  const sockets = new Set<Socket>();
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const sending = [...sockets].filter(({ writableLength }) => writableLength > 0);
    // Shadows the method of the class while Node.js calls it.
    for (const socket of sending) socket.destroy = () => socket;
    closeIdle();
    for (const socket of sending) Reflect.deleteProperty(socket, 'destroy');
  };
}

/** Compressing less than this saves nothing. */
const SMALLEST = 2_000;
/** The fastest: 50 emails of the list take 0.3 ms, and a sixth of their size. */
const LEVEL = 1;

/**
 * Compresses responses to the inbox page, which may be on another machine. Programs get theirs as they are: most of them
 * accept gzip, but are on this machine.
 */
const compressionPlugin: FastifyPluginAsync = async (server) => {
  server.addHook('onSend', async (request, reply, payload) => {
    if (!request.isInboxCall || request.fault) return payload;
    if (typeof payload !== 'string' || payload.length < SMALLEST) return payload;
    if (!acceptsEncoding(request.headers['accept-encoding'] ?? '', 'gzip')) return payload;
    reply.header('content-encoding', 'gzip').header('vary', 'Accept-Encoding').removeHeader('content-length');
    return promisify(gzip)(payload, { level: LEVEL });
  });
};

const compression = fp(compressionPlugin);

interface InboxRoutesOptions extends ContentDeps {
  control: Pick<ControlDeps, 'controlEnabled'> & ContentDeps['control'] & SessionDeps['control'];
  /** The directory of the built page (default: that of the installation). */
  webDirectory?: string | undefined;
}

/** Registers the web inbox, which needs the control API. */
async function inbox(
  server: FastifyInstance,
  { core, control, basePath, webDirectory }: InboxRoutesOptions,
): Promise<void> {
  if (!control.controlEnabled) return;
  await inboxPages(server, { core, basePath, directory: webDirectory });
  await inboxSession(server, { core, control });
  await inboxContent(server, { core, control, basePath });
  await inboxLeave(server, { core, inbox: control.inbox });
}

/** Options of every server of svc. */
export const FASTIFY_OPTIONS = {
  logger: false,
  // Routes have no JSON schemas, and loading their compilers takes time at each start.
  schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  // Plugins are the server's own: a timer for each would take time at each start.
  pluginTimeout: 0,
} as const;

function noSchemas(): never {
  throw new TypeError('a route with a JSON schema needs a compiler');
}
