import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { finished, pipeline, Transform } from 'node:stream';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { REQUEST_BODY_BYTES } from '../../contract/vocabulary/limits.js';

/**
 * Limits what request bodies use together: their memory, and the time for which a client may send nothing. A large body
 * waits until there is room for it, and is not read meanwhile.
 */

/** Bytes of large bodies over all requests. Parsing one takes several times its size. */
const LARGE_BODIES_BYTES = 4 * REQUEST_BODY_BYTES;
/** Bytes of every body that are not counted: a body of this size is read however many large ones there are. */
const UNCOUNTED_BYTES = 256 * 1024;
/** Milliseconds without a byte of a body after which its connection is closed. */
const IDLE_MS = 60_000;

interface Waiting {
  bytes: number;
  start(): void;
}

/** Counts the bytes of large bodies. Requests wait in the order of their arrival. */
class Room {
  #free = LARGE_BODIES_BYTES;
  readonly #queue: Waiting[] = [];

  /**
   * Resolves when there is room, which is taken until `ended` resolves; or when `ended` resolves first. Resolves with a
   * function that gives back what exceeds a number of bytes.
   */
  async take(bytes: number, ended: Promise<void>): Promise<(used: number) => void> {
    const waiting: Waiting = { bytes, start() {} };
    const keep = (used: number) => {
      this.#free += Math.max(0, waiting.bytes - used);
      waiting.bytes = Math.min(waiting.bytes, used);
      this.#startNext();
    };
    await new Promise<void>((start) => {
      waiting.start = start;
      this.#queue.push(waiting);
      this.#startNext();
      void ended.then(() => {
        const place = this.#queue.indexOf(waiting);
        if (place >= 0) {
          this.#queue.splice(place, 1);
          waiting.bytes = 0;
        }
        start();
        keep(0);
      });
    });
    return keep;
  }

  #startNext(): void {
    for (let [next] = this.#queue; next && next.bytes <= this.#free; [next] = this.#queue) {
      this.#queue.shift();
      this.#free -= next.bytes;
      next.start();
    }
  }
}

const plugin: FastifyPluginAsync = async (server) => {
  const room = new Room();
  // Runs after the authentication: without a valid key, no body is read.
  server.addHook('preParsing', async (request, reply, payload) => {
    const bytes = countedBytes(request);
    const ended = () => new Promise<void>((resolve) => finished(reply.raw, () => resolve()));
    const keep = bytes > 0 ? await room.take(bytes, ended()) : undefined;
    if (!isStreamed(request)) closeWhenIdle(request.raw);
    const isChunked = request.headers['content-length'] === undefined;
    return keep && isChunked ? counted(payload, (size) => keep(Math.max(0, size - UNCOUNTED_BYTES))) : payload;
  });
};

export const unfinishedBodies = fp(plugin);

/** Passes a body on, and calls back with its size at its end. */
function counted(body: NodeJS.ReadableStream, onEnd: (bytes: number) => void): Transform {
  let size = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.byteLength;
      done(null, chunk);
    },
    flush(done) {
      onEnd(size);
      done();
    },
  });
  // The reader of the counter handles an error.
  pipeline(body, counter, () => {});
  return counter;
}

/** Returns how many bytes of memory a body can take beyond those that are not counted. */
function countedBytes(request: FastifyRequest): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (isStreamed(request) || (length === undefined && encoding === undefined)) return 0;
  const { bodyLimit = REQUEST_BODY_BYTES } = request.routeOptions;
  const bytes = length === undefined ? bodyLimit : Number(length);
  // A body above the limit is refused before it is read.
  return bytes > bodyLimit ? 0 : Math.max(0, bytes - UNCOUNTED_BYTES);
}

/** Returns whether a body of any size is passed on in pieces: an archive. */
function isStreamed({ routeOptions: { config } }: FastifyRequest): boolean {
  const endpoint = config.operation?.endpoint;
  return endpoint?.accepts !== undefined && endpoint.bodyBytes === undefined;
}

/** Closes the connection when the client stops sending. A request within the process has no socket of Node.js. */
function closeWhenIdle(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || !(socket instanceof Socket)) return;
  // Node.js closes a connection whose time limit is reached.
  socket.setTimeout(IDLE_MS);
  request.once('end', () => socket.setTimeout(0));
}
