import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Calls that svc makes of its own server, without a socket. */

/** Where they come from: an address that no socket has, so nobody else can claim it. */
const IN_PROCESS = 'in-process';

/** Whether svc itself asks: that is no request of an application, so it is neither logged nor counted against a limit. */
export function isOwnCall(request: Pick<FastifyRequest, 'ip'>): boolean {
  return request.ip === IN_PROCESS;
}

interface Init {
  method: string;
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array>;
  signal?: AbortSignal;
}

/** A `fetch` that calls the server in this process, whatever host the URL names. A body that is not read on is given up. */
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
    // What the server sees of a caller that goes. The signal that inject takes throws where nobody can catch it.
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
        get: (name: string) => response.headers[name.toLowerCase()]?.toString() ?? null,
      },
      text: () => text(read()),
      body: read(),
    };
  };
}
