import { type Count, compare, ROUNDS, SECONDS } from './support/compare.js';
import { describeMachine, median, printTable } from './support/figures.js';
import { repeat } from './support/load.js';
import { fileSystemOf, startBare, startSvc } from './support/servers.js';
import { MESSAGE, SmtpClient } from './support/smtp-client.js';

/** Compares durable delivery over SMTP with smtp-server alone, which discards the messages. */

/**
 * Number of emails per round with one connection each. smtp-server waits 100 ms before its greeting, so it gets few.
 */
const CONNECTIONS_EACH = { svc: 200, bare: 10 };

interface Shape {
  name: string;
  connections: number;
  pipelined: boolean;
}

const SHAPES: Shape[] = [
  { name: '1 connection', connections: 1, pipelined: false },
  { name: '10 connections', connections: 10, pipelined: false },
  { name: '1 connection, pipelined', connections: 1, pipelined: true },
  { name: '10 connections, pipelined', connections: 10, pipelined: true },
];

export async function main(root: string): Promise<void> {
  const bare = await startBare(root, 'smtp');
  const svc = await startSvc(root);
  console.log(`SMTP ingest of ${MESSAGE.length} bytes; ${describeMachine()}; data on ${fileSystemOf(svc.dataDir)}`);
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s each, bare and svc in turn; medians. Floor 0.3 at 10 connections, goal 0.6.\n`,
  );
  try {
    const loads = SHAPES.map((shape) => ({
      name: shape.name,
      bare: () => ingest(bare.port, shape),
      svc: () => ingest(svc.smtpPort, shape),
    }));
    await compare('messages/s', loads, bare, svc);

    const single = { bare: [] as number[], svc: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      single.bare.push(await oneMailPerConnection(bare.port, CONNECTIONS_EACH.bare));
      single.svc.push(await oneMailPerConnection(svc.smtpPort, CONNECTIONS_EACH.svc));
      await svc.settled();
    }
    console.log('\nOne mail per connection, one after another; smtp-server alone waits 100 ms before its greeting.');
    const shown = [median(single.bare), median(single.svc)].map((ms) => ms.toFixed(2));
    printTable(['ms each', 'bare', 'svc', 'at most'], [['connect to QUIT', ...shown, '5']]);
  } finally {
    await Promise.all([bare.stop(), svc.stop()]);
  }
}

async function ingest(port: number, { connections, pipelined }: Shape): Promise<Count> {
  const clients = await Promise.all(Array.from({ length: connections }, () => SmtpClient.open(port)));
  const count = await repeat(clients, (client) => client.send(pipelined));
  await Promise.all(clients.map((client) => client.quit()));
  return count;
}

async function oneMailPerConnection(port: number, count: number): Promise<number> {
  const began = performance.now();
  for (let sent = 0; sent < count; sent += 1) {
    const client = await SmtpClient.open(port);
    await client.send(false);
    await client.quit();
  }
  return (performance.now() - began) / count;
}
