import { maxHeaderSize } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { REQUEST_BODY_BYTES } from '../contract/vocabulary/limits.js';
import type { Core } from '../core/context.js';
import type { ControlDeps } from '../core/control/context.js';
import { auth } from './plugins/auth.js';
import { errors } from './plugins/errors.js';
import { hostAndOrigin } from './plugins/host-and-origin.js';
import { jsonBody } from './plugins/json-body.js';
import { CallCounter, rateLimit } from './plugins/rate-limit.js';
import { requestLog } from './plugins/request-log.js';
import { responseHeaders } from './plugins/response-headers.js';
import { connectionRefuser, handleUnusualRequests } from './request/malformed.js';
import { controlApi } from './routes/control-api.js';
import { docs } from './routes/docs.js';
import { openApi } from './routes/openapi.js';
import { serviceApi } from './routes/service-api.js';
import { tracking } from './routes/tracking.js';

export interface HttpServerOptions {
  core: Core;
  control: ControlDeps;
  /** Records every request to the service in the request log. */
  logRequests: boolean;
  /** Names that this server responds to besides those of loopback. */
  allowedHosts: ReadonlySet<string>;
  /** Rejects unknown body fields instead of ignoring them (decision 13). */
  strict: boolean;
  /** Checks every response against the contract. */
  checkResponses: boolean;
  /** Called with every fault of the server. */
  onInternalError(error: unknown, requestId: string): void;
}

/** Concurrent connections; others are closed at once. With those of SMTP they leave room for files under 4,096 descriptors. */
const HTTP_CONNECTIONS_MAX = 1_536;

/** Builds the HTTP server: the service under /v1, the control API under /_svc. It does not listen yet. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { core, control, strict, checkResponses, onInternalError, allowedHosts } = options;
  const counter = new CallCounter(core);
  const refuse = connectionRefuser(core, counter);
  const server: FastifyInstance = Fastify({
    logger: false,
    bodyLimit: REQUEST_BODY_BYTES,
    // The router's own limit is shorter than a domain name may be; node limits the request line as a whole.
    routerOptions: { maxParamLength: maxHeaderSize },
    genReqId: () => core.ids.next('req', core.clock.now()),
    exposeHeadRoutes: false,
    // The signal `stopping` ends open streams; idle connections need no waiting.
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => server.errorHandler(error, request, reply),
    // Node's own response to a request without Host has no body; the plugin hostAndOrigin rejects such a request.
    http: { requireHostHeader: false },
    clientErrorHandler: (error, socket) => refuse.malformed(socket, error),
  });
  server.server.maxConnections = HTTP_CONNECTIONS_MAX;
  handleUnusualRequests(server.server, refuse.tunnel);

  // In the order in which their hooks run.
  server.register(jsonBody);
  server.register(errors, { core, counter, checkResponses, onInternalError, stopping: control.stopping });
  server.register(responseHeaders);
  server.register(hostAndOrigin, { allowedHosts });
  server.register(auth, { core });
  server.register(rateLimit, { counter });
  if (options.logRequests) server.register(requestLog, { log: control.requestLog, clock: core.clock });

  server.register(serviceApi, { core, strict, checkResponses });
  server.register(controlApi, { core, control, strict, checkResponses });
  server.register(tracking, { core });
  server.register(openApi, { version: control.describe().version });
  server.register(docs);
  await server.ready();
  return server;
}
