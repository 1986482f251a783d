import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a real server on loopback that receives webhooks. */

interface Received {
  headers: IncomingMessage['headers'];
  /** The bytes of the request, unchanged. */
  body: Buffer;
  path: string;
}

export type Respond = (response: ServerResponse, received: Received, index: number) => void;

export interface Receiver {
  url: string;
  received: Received[];
  /** Resolves once this many requests have arrived. */
  until(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

const ok: Respond = (response) => response.writeHead(200).end('ok');

export async function startReceiver(respond: Respond = ok, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let arrived = () => {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = { headers: request.headers, body: Buffer.concat(chunks), path: request.url ?? '' };
    received.push(one);
    respond(response, one, received.length - 1);
    arrived();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    async until(count) {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
      return received;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
