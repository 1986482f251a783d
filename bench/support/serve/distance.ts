import { once } from 'node:events';
import { type AddressInfo, createServer, connect as open, type Socket } from 'node:net';

/** The name of the connections that write, as they send it to PostgreSQL. */
const WRITER = 'svc writer';

/** A proxy to a database, as if it were far away. It counts the round trips of the connections that write. */
export interface Distance {
  port: number;
  /** Returns the commits and the round trips since the last call. */
  taken(): { commits: number; roundTrips: number };
  close(): void;
}

/** Starts a proxy that adds `ms` milliseconds to each round trip. */
export async function startDistance(toPort: number, ms: number): Promise<Distance> {
  const sockets = new Set<Socket>();
  let counted = { commits: 0, roundTrips: 0 };
  const server = createServer({ noDelay: true }, (client) => {
    const database = open({ port: toPort, host: '127.0.0.1', noDelay: true });
    let isWriter: boolean | undefined;
    let isAnswered = false;
    forward(client, database, ms / 2, (chunk) => {
      isWriter ??= chunk.includes(WRITER);
      if (!isWriter) return;
      if (isAnswered) counted.roundTrips += 1;
      isAnswered = false;
      for (let at = chunk.indexOf('COMMIT'); at >= 0; at = chunk.indexOf('COMMIT', at + 1)) counted.commits += 1;
    });
    forward(database, client, ms / 2, () => {
      isAnswered = true;
    });
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    taken() {
      const found = counted;
      counted = { commits: 0, roundTrips: 0 };
      return found;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function forward(from: Socket, to: Socket, ms: number, onChunk: (chunk: Buffer) => void): void {
  from.on('data', (chunk) => {
    onChunk(chunk);
    if (ms === 0) to.write(chunk);
    else setTimeout(() => to.write(chunk), ms);
  });
}
