import { describeMachine, median, printTable } from './support/figures.js';
import { HttpClient } from './support/http-client.js';
import { throughput } from './support/load.js';
import { fileSystemOf, startBare, startSvc } from './support/servers.js';

/** POST /emails beside a bare fastify route that reads the same JSON and answers the same form. */

const ROUNDS = Number(process.env.SVC_BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.SVC_BENCH_SECONDS ?? 2);
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
  try {
    const rows: string[][] = [];
    for (const connections of CONNECTIONS) {
      const rates = { bare: [] as number[], svc: [] as number[], backlog: [] as number[] };
      for (let round = 0; round < ROUNDS; round += 1) {
        rates.bare.push(await post(bare.port, '', connections));
        rates.svc.push(await post(svc.httpPort, svc.apiKey, connections));
        const began = performance.now();
        await svc.settled();
        rates.backlog.push(performance.now() - began);
      }
      const [a, b] = [median(rates.bare), median(rates.svc)];
      const ratio = median(rates.svc.map((rate, round) => rate / (rates.bare[round] ?? Number.NaN)));
      const name = connections === 1 ? '1 connection' : `${connections} connections`;
      rows.push([name, a.toFixed(0), b.toFixed(0), ratio.toFixed(3), `${median(rates.backlog).toFixed(0)} ms`]);
    }
    printTable(['requests/s', 'bare', 'svc', 'ratio', 'delivered after'], rows);
  } finally {
    await Promise.all([bare.stop(), svc.stop()]);
  }
}

async function post(port: number, apiKey: string, connections: number): Promise<number> {
  const clients = Array.from({ length: connections }, () => HttpClient.post(port, '/v1/emails', apiKey, EMAIL, 201));
  const rate = await throughput(clients, SECONDS, (client) => client.exchange());
  for (const client of clients) client.close();
  return rate;
}
