import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';

/** Bodies that are read as they come, of any size. */

/** Serves a route whose body is of this media type, and of no other. */
export function bindBytes(server: FastifyInstance, route: RouteOptions, accepts: string): void {
  // Parsers of its own: elsewhere a body of this type is refused.
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(accepts, (_request, payload, done) => done(null, payload));
    scope.addContentTypeParser('*', (_request, _payload, done) => done(notOfType(accepts)));
    scope.route(route);
  });
}

export function bytesOf({ body }: FastifyRequest, accepts: string): AsyncIterable<Uint8Array> {
  if (!(body instanceof Readable)) throw notOfType(accepts);
  // A reader that stops half-way gets its answer on this connection, so it must not end with the reader: a stream that reads
  // this one would pass its error on by `throw`, which destroys the request.
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

/** Lets go of what was not read, so that a caller who is still sending gets to the answer. */
export function discardBody({ accepts }: Endpoint, { body }: FastifyRequest): void {
  if (accepts === undefined || !(body instanceof Readable)) return;
  // A reader lets go later than it returns, which would undo `resume` alone.
  body.on('data', () => {});
  body.resume();
}

function notOfType(accepts: string): ServiceError {
  return new ServiceError('bad_request', `The request body must be sent with Content-Type: ${accepts}.`);
}
