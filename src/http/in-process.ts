import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Calls the server in the same process without a socket, for svc's own calls. */

/** The client address of these calls. No socket has this address, so other clients cannot use it. */
const IN_PROCESS = 'in-process';

/** Returns whether svc itself or its inbox page made the call. Such calls are not logged and have no rate limit. */
export function isOwnCall(request: Pick<FastifyRequest, 'socket' | 'isInboxCall'>): boolean {
  return isInProcess(request) || request.isInboxCall;
}

/** Returns whether the server's own process made the call. */
export function isInProcess({ socket }: Pick<FastifyRequest, 'socket'>): boolean {
  // Not the request's IP address, which a proxy may set.
  return socket.remoteAddress === IN_PROCESS;
}

interface Init {
  method: string;
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array>;
  signal?: AbortSignal;
}

/**
 * Returns a `fetch` that calls the server in this process and ignores the URL's host. If the caller stops reading a
 * body, the request is aborted.
 */
export function createInProcessFetch(server: FastifyInstance) {
  return async (url: string, { method, headers, body, signal }: Init) => {
    signal?.throwIfAborted();
    const response = await server.inject({
      method: method as 'GET',
      url: url.slice(new URL(url).origin.length),
      headers: { ...headers, host: 'localhost' },
      remoteAddress: IN_PROCESS,
      payloadAsStream: true,
      ...(body !== undefined && { payload: typeof body === 'string' ? body : Readable.from(body) }),
    });
    // Simulates a client that disconnects. The signal of `inject` is not used, because it throws where no caller can
    // catch the error.
    const hangUp = () => response.raw.res.destroy();
    signal?.addEventListener('abort', hangUp, { once: true });
    if (signal?.aborted) hangUp();
    async function* read(): AsyncGenerator<Uint8Array> {
      try {
        yield* response.stream();
      } finally {
        signal?.removeEventListener('abort', hangUp);
        hangUp();
      }
    }
    return {
      status: response.statusCode,
      headers: {
        get: (name: string) => [response.headers[name.toLowerCase()] ?? []].flat().join(', ') || null,
      },
      text: () => text(read()),
      body: read(),
    };
  };
}
