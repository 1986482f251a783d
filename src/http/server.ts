import { maxHeaderSize } from 'node:http';
import type { Duplex } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { control } from '../contract/control/endpoints.js';
import type { Endpoint } from '../contract/endpoint.js';
import { service } from '../contract/service/endpoints.js';
import { ServiceError } from '../contract/vocabulary/errors.js';
import { RATE_LIMIT_HEADER, REQUEST_ID_HEADER, RETRY_AFTER_HEADER } from '../contract/vocabulary/headers.js';
import { REQUEST_BODY_BYTES } from '../contract/vocabulary/limits.js';
import { SIMULATE_HEADER } from '../contract/vocabulary/outcome.js';
import { CONTROL_PREFIX, SERVICE_PREFIX } from '../contract/vocabulary/routes.js';
import type { CallContext, Core } from '../core/context.js';
import { type ControlContext, controlHandlers } from '../core/control/handlers.js';
import { handlers } from '../core/handlers.js';
import type { ApiKeyRecord } from '../core/model.js';
import { authenticate, rateLimitOf } from '../core/resources/api-keys.js';
import { QuotaExceededError } from '../core/resources/quota.js';
import { RateLimiter, type RateLimitState } from '../core/resources/rate-limiter.js';
import { isOwnCall } from './in-process.js';
import { rejectForeignOrigins } from './request/host-and-origin.js';
import { readJsonBodies } from './request/json-body.js';
import { asMalformed, handleUnusualRequests, sendRawError } from './request/malformed.js';
import { logRequests } from './request/request-logging.js';
import { undeclaredFailure } from './response/check-response.js';
import { asServiceError, isAborted, isFault, isTooLarge, sendError, unknownPath } from './response/envelope.js';
import { rateLimitHeaders } from './response/rate-limit-headers.js';
import { SAFE_HEADERS, SAFE_MAIL_HEADERS } from './response/safe-headers.js';
import { addWarning } from './response/warning.js';
import { bindContract } from './routes/contract-routes.js';
import { serveDocs } from './routes/docs.js';
import { serveOpenApi } from './routes/openapi.js';
import { serveTracking } from './routes/tracking.js';

export interface HttpServerOptions {
  core: Core;
  /** What the control API needs beyond the core. */
  controls: Pick<
    ControlContext,
    | 'instance'
    | 'lastEventBeforeStart'
    | 'catchUp'
    | 'controlEnabled'
    | 'requestLog'
    | 'archive'
    | 'ensureServerKey'
    | 'describe'
    | 'compose'
    | 'feed'
    | 'clockController'
    | 'simulatedDns'
    | 'retrySchedule'
    | 'runDue'
  >;
  /** Notes every request to the service in the request log. */
  logRequests: boolean;
  /** Names that this server answers to beside those of loopback. */
  allowedHosts: ReadonlySet<string>;
  strict: boolean;
  checkResponses: boolean;
  /** Told of what was answered with `internal_error`. */
  onInternalError(error: unknown, requestId: string): void;
  /** Fires when the server stops, to end the streams. */
  stopping: AbortSignal;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route answers without a key. */
    public?: boolean;
    /** What the contract declares, for a route that it has. */
    operation?: { name: string; endpoint: Endpoint };
    /** Whether pages of any origin may call it. */
    anyOrigin?: boolean;
  }
  interface FastifyRequest {
    /** What it was refused with. */
    errorCode: string | null;
    /** The key that the call came with; set before any handler that is not open. */
    apiKey: ApiKeyRecord | null;
  }
}

/** Connections at the same time; others are closed at once. With those of SMTP they leave room for files under 4,096 descriptors. */
const HTTP_CONNECTIONS_MAX = 1_536;

/** Builds the HTTP server: the service under /v1, the control API under /_svc. It listens when its caller says so. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { core, controls } = options;
  const now = () => core.clock.now();
  const limiter = new RateLimiter(core.clock);
  const server = Fastify({
    logger: false,
    bodyLimit: REQUEST_BODY_BYTES,
    // The router's own limit is shorter than a domain name may be; node limits the request line as a whole.
    routerOptions: { maxParamLength: maxHeaderSize },
    genReqId: () => core.ids.next('req', now()),
    exposeHeadRoutes: false,
    // Open streams are ended by `stopping`; what is idle need not be waited for.
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => fail(error, request as FastifyRequest, reply as FastifyReply),
    // Its own answer to a request without Host has no body; the guard refuses such a request.
    http: { requireHostHeader: false },
    clientErrorHandler: (error, socket) => {
      if (error.code !== 'ECONNRESET') refuseConnection(socket, asMalformed(error));
    },
  });
  server.server.maxConnections = HTTP_CONNECTIONS_MAX;
  handleUnusualRequests(server.server, (socket, target) =>
    refuseConnection(socket, new ServiceError('not_found', `No route matches CONNECT ${target}.`)),
  );

  /** What comes before any request belongs to no key: its address is counted. */
  const refuseConnection = (socket: Duplex & { remoteAddress?: string | undefined }, error: ServiceError) => {
    const state = limiter.take(socket.remoteAddress ?? '', rateLimitOf(null, core));
    sendRawError(socket, error, {
      requestId: core.ids.next('req', now()),
      now: now(),
      headers: rateLimitHeaders(state),
    });
  };

  /** Counts a call by its key, or by its address when it has none, and says so in the headers. */
  const count = (request: FastifyRequest, reply: FastifyReply): RateLimitState => {
    const state = limiter.take(request.apiKey?.id ?? request.ip, rateLimitOf(request.apiKey ?? null, core));
    reply.headers(rateLimitHeaders(state));
    return state;
  };

  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = asServiceError(error, request);
    const fault = options.checkResponses ? undeclaredFailure(refusal, request) : undefined;
    const answer = fault ? new ServiceError('internal', 'The server failed.') : refusal;
    request.errorCode = answer.code;
    if (isTooLarge(error)) drainBody(request, reply);
    if (isFault(answer, options.stopping))
      options.onInternalError(fault ?? (isAborted(error) ? CLOSED_EARLY : error), request.id);
    // What is refused before any hook has run, such as a path that cannot be decoded, is counted here.
    if (isLimited(request) && !reply.hasHeader(RATE_LIMIT_HEADER)) count(request, reply);
    if (answer instanceof QuotaExceededError) setQuotaHeaders(reply, answer, now());
    reply.header(REQUEST_ID_HEADER, request.id);
    reply.headers(SAFE_HEADERS);
    return sendError(reply, answer, request.id, now());
  };

  readJsonBodies(server);
  server.decorateRequest('apiKey', null);
  server.decorateRequest('errorCode', null);
  if (options.logRequests) logRequests(server, controls.requestLog, now);
  server.setErrorHandler(fail);
  server.setNotFoundHandler(async (request) => {
    throw unknownPath(request);
  });

  server.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    reply.headers(request.routeOptions.config.anyOrigin ? SAFE_MAIL_HEADERS : SAFE_HEADERS);
    rejectForeignOrigins(request, options.allowedHosts);
    const limited = isLimited(request);
    const { public: isPublic } = request.routeOptions.config;
    if (!limited && (isPublic || request.is404)) return;
    let refusal: unknown;
    try {
      if (!isPublic) request.apiKey = await authenticate(request.headers.authorization, core);
    } catch (error) {
      refusal = error;
    }
    if (limited) {
      // The headers stand on every response, a refused key's included; without a key the address is counted.
      const state = count(request, reply);
      if (state.retryAfter > 0) refuseAtLimit(reply, state);
    }
    if (refusal) throw refusal;
  });

  const bindOptions = { strict: options.strict, checkResponses: options.checkResponses, now };
  const keyOf = (request: FastifyRequest) => request.apiKey as ApiKeyRecord;
  bindContract(
    server,
    service,
    handlers,
    (request, reply): CallContext => ({
      ...core,
      key: keyOf(request),
      simulate: simulateOf(request),
      warn: (text) => addWarning(reply, text),
    }),
    {
      ...bindOptions,
      prefix: SERVICE_PREFIX,
    },
  );
  bindContract(
    server,
    controls.controlEnabled ? control : { health: control.health },
    controlHandlers,
    (request, reply): ControlContext => ({
      ...core,
      ...controls,
      key: keyOf(request),
      simulate: undefined,
      warn: (text) => addWarning(reply, text),
      stopping: options.stopping,
      signal: AbortSignal.any([options.stopping, closeSignal(reply)]),
    }),
    { ...bindOptions, prefix: CONTROL_PREFIX },
  );
  serveTracking(server, core);
  serveOpenApi(server, () => controls.describe().version);
  serveDocs(server);
  return server;
}

const CLOSED_EARLY = 'The client closed the connection before the request was complete.';

/** A caller who is still sending does not hear the answer of a connection that is closed on it: the rest is read, and let go. */
function drainBody(request: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  request.raw.resume();
}

/** The outcome that a call asks for, unread. */
function simulateOf({ headers }: FastifyRequest): string | undefined {
  return headers[SIMULATE_HEADER.toLowerCase()]?.toString();
}

/** The service is limited, the control API is not. The route decides: one path can be written in several ways. */
function isLimited(request: FastifyRequest): boolean {
  if (isOwnCall(request)) return false;
  const { url, routeOptions } = request;
  const path = routeOptions?.url ?? url;
  return path.startsWith(SERVICE_PREFIX) && ['/', '?', undefined].includes(path[SERVICE_PREFIX.length]);
}

function refuseAtLimit(reply: FastifyReply, { limit, retryAfter }: RateLimitState): never {
  reply.header(RETRY_AFTER_HEADER, retryAfter);
  throw new ServiceError('rate_limited', `More than ${limit} requests in a minute; try again in ${retryAfter} s.`);
}

function setQuotaHeaders(reply: FastifyReply, { quota, resetsAt }: QuotaExceededError, now: number): void {
  const retryAfter = Math.ceil((resetsAt - now) / 1000);
  reply.headers(rateLimitHeaders({ limit: quota, remaining: 0, reset: resetsAt / 1000 }));
  reply.header(RETRY_AFTER_HEADER, retryAfter);
}

function closeSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}
