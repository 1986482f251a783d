import { Readable } from 'node:stream';
import { errorCodes, type FastifyInstance, type FastifyRequest, type RouteOptions } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';

/** Reads request bodies of any size as a stream of bytes. */

/** Registers a route that accepts only bodies of this media type. */
export function bindBytes(server: FastifyInstance, route: RouteOptions, accepts: string): void {
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

export function bytesOf({ body }: FastifyRequest, accepts: string): AsyncIterable<Uint8Array> {
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
export function discardBody({ accepts }: Endpoint, { body }: FastifyRequest): void {
  if (accepts === undefined || !(body instanceof Readable)) return;
  // Keeps the stream flowing: the reader detaches later, which would pause the stream again.
  body.on('data', () => {});
  body.resume();
}

function notOfType(accepts: string): ServiceError {
  return new ServiceError('bad_request', `The request body must be sent with Content-Type: ${accepts}.`);
}
