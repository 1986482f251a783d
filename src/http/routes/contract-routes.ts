import { Readable } from 'node:stream';
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify';
import type { Content, Contract, Endpoint } from '../../contract/endpoint.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { SMALL_BODY_BYTES } from '../../contract/vocabulary/limits.js';
import { shortened } from '../../contract/vocabulary/text.js';
import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';
import { actorOf, audited } from '../../core/audit.js';
import type { CallContext } from '../../core/context.js';
import type { Actor } from '../../core/model/logs.js';
import { isInProcess } from '../in-process.js';
import { authorizationOf } from '../plugins/auth.js';
import { refuseInvalidEscapes, unknownFields, unknownParameters, validate } from '../request/validation.js';
import { checkResponse } from '../response/check-response.js';
import { sendData } from '../response/envelope.js';
import { announce, PRIVATE_HEADERS, refuse } from '../response/headers.js';
import { unknownPath } from '../response/unknown-path.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint of the contract that the route implements. */
    operation?: { name: string; endpoint: Endpoint };
  }
  interface FastifyRequest {
    /** The ID of the email that the request sent. */
    sentEmail?: string;
  }
}

/** Options for the strictness of checks on requests and responses. */
export interface RequestChecks {
  /** Refuses requests with warnings instead of announcing them (gap 40). */
  strict: boolean;
  /** Checks each response against the contract. A mismatch is an `internal` error. Enabled in tests. */
  checkResponses: boolean;
}

export interface BindOptions<Context extends CallContext> extends RequestChecks {
  prefix: string;
  contract: Contract;
  /** The handler of every endpoint of the contract. */
  handlers: Record<string, unknown>;
  /** Returns the context of a call. */
  contextOf(request: FastifyRequest, reply: FastifyReply): Context;
  now(): number;
  /** Refuses fields and parameters that the contract does not define, also if the server is not strict. */
  refuseUnknown?: boolean;
}

const EVENT_STREAM = 'text/event-stream';

/** Returns whether an endpoint answers with a stream that does not end. HEAD does not start it. */
export function isStream({ media }: Endpoint): boolean {
  return media === EVENT_STREAM;
}

type UntypedHandler<Context> = (
  input: { params: unknown; query: unknown; body: unknown },
  context: Context,
) => Promise<unknown>;

/** Registers a route for every endpoint of a contract, under a prefix. */
export function bindContract<Context extends CallContext>(
  server: FastifyInstance,
  options: BindOptions<Context>,
): void {
  const { contract, handlers, contextOf } = options;
  for (const [name, endpoint] of Object.entries(contract)) {
    // Every name has a handler, because Handlers is a mapped type over the contract. TypeScript cannot express the
    // union of their types.
    const handle = handlers[name] as UntypedHandler<Context>;
    const route: RouteOptions = {
      method: endpoint.method,
      url: options.prefix + endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      ...limitOf(endpoint),
      config: { public: endpoint.public === true, operation: { name, endpoint } },
      async handler(request, reply) {
        const input = readInput(endpoint, request, reply, options);
        // The key may have been revoked while the body was sent.
        await request.authorization?.check();
        if (request.method === 'HEAD' && isStream(endpoint)) return reply.type(EVENT_STREAM).send();
        const { params, query, body } = request;
        const call = { name, endpoint, sent: { params, query, body: endpoint.accepts ? undefined : body } };
        const context = contextOf(request, reply);
        const output = await (request.method === 'HEAD'
          ? handle(input, context)
          : audited(call, context, (recorded) => handle(input, recorded))
        ).finally(() => discardBody(endpoint, request));
        if (endpoint.media !== undefined) return sendContent(reply, endpoint, output as Content);
        if (options.checkResponses) checkResponse(name, endpoint, output);
        if (name === 'emails.send') request.sentEmail = (output as { id: string }).id;
        if (endpoint.response === undefined) return reply.code(endpoint.status).send();
        return sendData(reply, endpoint.status, output, request.id, options.now());
      },
    };
    if (endpoint.accepts === undefined) server.route(route);
    else bindBytes(server, route, endpoint.accepts);
  }
}

function limitOf({ accepts, bodyBytes }: Endpoint): { bodyLimit?: number } {
  if (accepts !== undefined && bodyBytes === undefined) return {};
  return { bodyLimit: bodyBytes ?? SMALL_BODY_BYTES };
}

type InputChecks = Pick<BindOptions<CallContext>, 'strict' | 'refuseUnknown'>;

function readInput(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply, options: InputChecks) {
  if (endpoint.query) refuseInvalidEscapes(request.url);
  const report = (unknown: readonly ServiceWarning[]) =>
    options.refuseUnknown ? refuse(unknown) : announce(reply, options.strict, unknown);
  report(unknownParameters(endpoint.query, request.query));
  // A slash at the end of a path leaves the parameter empty.
  if (Object.values(request.params as object).includes('')) {
    throw unknownPath(
      request,
      endpoint.errors?.find((each) => each.endsWith('not_found')),
    );
  }
  if (endpoint.method !== 'GET' && request.headers['idempotency-key'] !== undefined) {
    const message = 'the header Idempotency-Key is ignored';
    report([{ code: 'ignored_idempotency_key', path: '', message }]);
  }
  return {
    params: endpoint.params && validate(endpoint.params, request.params, 'bad_request'),
    query: endpoint.query && validate(endpoint.query, request.query, 'bad_request'),
    body: endpoint.accepts ? bytesOf(request, endpoint.accepts) : readJson(endpoint, request, report),
  };
}

function readJson(
  { body: schema }: Endpoint,
  { body, repeatedKey }: FastifyRequest,
  report: (unknown: readonly ServiceWarning[]) => void,
) {
  if (!schema) return undefined;
  if (body === undefined || body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new ServiceError(
      'bad_request',
      'The request body must be a JSON object, sent with Content-Type: application/json.',
    );
  }
  if (repeatedKey !== null) {
    const message = `the key ${JSON.stringify(shortened(repeatedKey))} occurs twice, and the last one applies`;
    report([{ code: 'repeated_key', path: '', message }]);
  }
  report(unknownFields(schema, body));
  return validate(schema, body, 'invalid');
}

function sendContent(reply: FastifyReply, { media, status }: Endpoint, { body, filename }: Content): FastifyReply {
  reply.code(status).header('content-type', media ?? 'application/octet-stream');
  reply.headers(PRIVATE_HEADERS);
  // Otherwise nginx collects events until its buffer is full.
  if (media === EVENT_STREAM) reply.header('x-accel-buffering', 'no');
  if (filename !== undefined) reply.header('content-disposition', `attachment; filename="${filename}"`);
  if (body instanceof Uint8Array) return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  return reply.send(Readable.from(body));
}

/** Returns who sends a call. The server's own process has no address. */
export function actorIn(request: FastifyRequest): Actor {
  const client = isInProcess(request) ? null : request.ip;
  return actorOf(authorizationOf(request).right, { client, requestId: request.id });
}

/** Returns whether a call may change something, so that an ordinary key is limited to what belongs to no workspace. */
export function isChange({ method, routeOptions }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return routeOptions.config.operation?.endpoint.acrossWorkspaces !== true;
}

/** Reads request bodies of any size as a stream of bytes. */

/** Registers a route that accepts only bodies of this media type. */
function bindBytes(server: FastifyInstance, route: RouteOptions, accepts: string): void {
  // A scope with its own parsers, because other routes must reject this media type.
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(accepts, (request, payload, done) => {
      // A handler counts the bytes of a body without this header.
      const isTooLarge = Number(request.headers['content-length']) > (route.bodyLimit ?? Number.POSITIVE_INFINITY);
      done(isTooLarge ? new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE() : null, payload);
    });
    scope.addContentTypeParser('*', (_request, _payload, done) => done(notOfType(accepts)));
    scope.route(route);
  });
}

function bytesOf({ body }: FastifyRequest, accepts: string): AsyncIterable<Uint8Array> {
  if (!(body instanceof Readable)) throw notOfType(accepts);
  // If the reader stops early, the response is sent on this connection, so the request must stay open. A plain stream
  // would be destroyed with its reader.
  return {
    [Symbol.asyncIterator]() {
      const pieces = body.iterator({ destroyOnReturn: false });
      return {
        next: () => pieces.next(),
        return: async () => {
          await pieces.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** Discards the rest of a body, so that a client that is still sending receives the response. */
function discardBody({ accepts }: Endpoint, { body }: FastifyRequest): void {
  if (accepts === undefined || !(body instanceof Readable)) return;
  // Keeps the stream flowing: the reader detaches later, which would pause the stream again.
  body.on('data', () => {});
  body.resume();
}

function notOfType(accepts: string): ServiceError {
  return new ServiceError('bad_request', `The request body must be sent with Content-Type: ${accepts}.`);
}
