import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Occupies a port of 127.0.0.1. Returns undefined if another process uses it. */
export async function holdPort(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}

/** Returns a port of 127.0.0.1 that no server uses. */
export async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
