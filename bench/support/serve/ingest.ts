import { HttpClient } from '../http-client.js';
import { SmtpClient } from '../smtp-client.js';
import { API_KEY, type Setup } from './setups.js';

/** Sends messages to all replicas of a setup at once. */

const EMAIL = {
  from: 'Ada <ada@example.test>',
  to: 'grace@example.test',
  subject: 'Your order has been shipped',
  html: '<h1>On its way</h1><p>Your order has left our house.</p>',
};

export interface Source {
  name: 'REST' | 'SMTP';
  /** Returns a function that sends one message to a replica, and the one that closes its connection. */
  connect(setup: Setup, index: number): Promise<{ send(): Promise<void>; close(): void }>;
  connections: number;
}

const rest = (email: typeof EMAIL): Source => ({
  name: 'REST',
  connections: 50,
  async connect({ replicas }, index) {
    const port = replicas[index % replicas.length]?.httpPort ?? 0;
    const client = HttpClient.post(port, '/v1/emails', API_KEY, email, 201);
    return { send: () => client.exchange(), close: () => client.close() };
  },
});

export const bouncing = rest({ ...EMAIL, to: 'bounced@simulator.test' });

export const sources: Source[] = [
  rest(EMAIL),
  {
    name: 'SMTP',
    connections: 10,
    async connect({ replicas }, index) {
      const client = await SmtpClient.open(replicas[index % replicas.length]?.smtpPort ?? 0);
      return { send: () => client.send(false), close: () => client.close() };
    },
  },
];

/** The figures of a round. Processor times are per message, in microseconds, and include all deferred work. */
export interface Ingest {
  rate: number;
  /** The rate when the time until everything was parsed and delivered counts too. */
  settled: number;
  /** The duration of each request or message, in milliseconds. */
  times: number[];
  client: number;
  servers: number;
  database: number;
}

export async function ingest(setup: Setup, source: Source, seconds: number): Promise<Ingest> {
  const clients = await Promise.all(
    Array.from({ length: source.connections }, (_, index) => source.connect(setup, index)),
  );
  const before = { ...setup.cpu(), client: ownCpu() };
  const times: number[] = [];
  const began = performance.now();
  const end = began + seconds * 1_000;
  await Promise.all(
    clients.map(async ({ send }) => {
      for (let at = performance.now(); at < end; ) {
        await send();
        const now = performance.now();
        times.push(now - at);
        at = now;
      }
    }),
  );
  const took = (performance.now() - began) / 1_000;
  const client = ownCpu() - before.client;
  await setup.settled();
  const tookWithRest = (performance.now() - began) / 1_000;
  for (const { close } of clients) close();
  const after = setup.cpu();
  const count = times.length;
  return {
    ...{ rate: count / took, settled: count / tookWithRest, times, client: client / count },
    servers: (after.servers - before.servers) / count,
    database: (after.database - before.database) / count,
  };
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
