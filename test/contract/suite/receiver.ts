import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a webhook receiver on this machine. It keeps the bytes as they arrived. */

interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  raw: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: a payload whose shape the checks verify
  json: any;
}

/** A limit for requests that never arrive; any other wait is shorter. */
const PATIENCE_MS = 10_000;

/** The path that the subscription to every event posts to. */
export const ALL_EVENTS_PATH = '/all';

export interface Receiver {
  url(path: string): string;
  /** Returns what a path has received so far. */
  at(path: string): Received[];
  /** Returns the first matching request, past or future. Looks at one path, by default the one of all events. */
  first(fits: (received: Received) => boolean, path?: string): Promise<Received>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<(received: Received) => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      response.end();
      const raw = Buffer.concat(chunks);
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, raw, json: JSON.parse(raw.toString('utf8')) };
      received.push(one);
      for (const notify of [...waiting]) notify(one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    at: (path) => received.filter((one) => one.path === path),
    first: (fits, path = ALL_EVENTS_PATH) =>
      new Promise((resolve, reject) => {
        const look = (one: Received) => {
          try {
            if (one.path !== path || !fits(one)) return;
            waiting.delete(look);
            resolve(one);
          } catch (error) {
            reject(error);
          }
        };
        waiting.add(look);
        const limit = AbortSignal.timeout(PATIENCE_MS);
        limit.addEventListener('abort', () => reject(new Error(`nothing that fits came to ${path} (${fits})`)));
        for (const one of [...received]) look(one);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
