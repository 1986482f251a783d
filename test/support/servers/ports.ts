import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Occupies a port of 127.0.0.1. Returns undefined if another process uses it. */
export async function holdPort(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
