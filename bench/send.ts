import { type Count, compare, ROUNDS, SECONDS } from './support/compare.js';
import { describeMachine } from './support/figures.js';
import { HttpClient } from './support/http-client.js';
import { repeat } from './support/load.js';
import { fileSystemOf, startBare, startSvc } from './support/servers.js';

/** Compares POST /emails with a bare fastify route that reads the same JSON and answers in the same form. */

const CONNECTIONS = [1, 10, 50];

const EMAIL = {
  from: 'Ada <ada@example.test>',
  to: 'grace@example.test',
  subject: 'Your order has been shipped',
  html: '<h1>On its way</h1><p>Your order has left our house.</p>',
};

export async function main(root: string): Promise<void> {
  const bare = await startBare(root, 'http');
  const svc = await startSvc(root);
  console.log(`POST /emails, one recipient, small HTML; ${describeMachine()}; data on ${fileSystemOf(svc.dataDir)}`);
  console.log(`${ROUNDS} rounds of ${SECONDS} s each, bare and svc in turn; medians. Floor 0.12, goal 0.2.\n`);
  const loads = CONNECTIONS.map((connections) => ({
    name: connections === 1 ? '1 connection' : `${connections} connections`,
    bare: () => post(bare.port, 'none', connections),
    svc: () => post(svc.httpPort, svc.apiKey, connections),
  }));
  try {
    await compare('requests/s', loads, bare, svc);
  } finally {
    await Promise.all([bare.stop(), svc.stop()]);
  }
}

async function post(port: number, apiKey: string, connections: number): Promise<Count> {
  const clients = Array.from({ length: connections }, () => HttpClient.post(port, '/v1/emails', apiKey, EMAIL, 201));
  const count = await repeat(clients, (client) => client.exchange());
  for (const client of clients) client.close();
  return count;
}
