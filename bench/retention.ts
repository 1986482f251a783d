import { parseArgs } from 'node:util';
import { describeMachine, printTable } from './support/figures.js';
import { bouncing, type Source, sources } from './support/serve/ingest.js';
import { call, onPostgres, onSqlite, type Setup, startCluster } from './support/serve/setups.js';
import { startWebhookReceiver } from './support/webhook-receiver.js';

/**
 * Sends messages, half over REST and half over SMTP, to a server that keeps a few of them, with a webhook. Prints the
 * size of the database on the way; `--setting autovacuum_naptime=15s` sets something of PostgreSQL. Analytics must
 * count every message at the end. Deliveries of webhooks take most of the time: with `--webhooks tenth`, one message in
 * ten bounces, and only these have a delivery.
 */

const ENGINES = ['sqlite', 'postgres'];
/** Number of sizes that are printed. */
const STEPS = 10;
/** The events of the webhook, and the sources with their shares of the messages. */
interface Load {
  events: string[];
  shares: [Source, number][];
}
const LOADS: Record<string, Load> = {
  every: { events: ['email.bounced', 'email.delivered'], shares: sources.map((source) => [source, 0.5]) },
  tenth: {
    events: ['email.bounced'],
    shares: [...sources.map((each): [Source, number] => [each, 0.45]), [bouncing, 0.1]],
  },
};
const TABLES = ['emails', 'events', 'deliveries', 'attempts', 'counters', 'requests'];

export async function main(root: string): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      messages: { type: 'string', default: '60000' },
      keep: { type: 'string', default: '2000' },
      setting: { type: 'string', multiple: true, default: [] },
      only: { type: 'string', default: ENGINES.join() },
      webhooks: { type: 'string', default: 'every' },
    },
  });
  const load = LOADS[values.webhooks];
  if (!load) throw new Error(`--webhooks must be one of ${Object.keys(LOADS).join(', ')}`);
  const [messages, keep] = [Number(values.messages), Number(values.keep)];
  console.log(`${describeMachine()}; ${messages} messages through a server that keeps ${keep}`);
  if (values.only.includes('sqlite')) await measure(root, await onSqlite(root, keep), messages, load);
  if (!values.only.includes('postgres')) return;
  const cluster = await startCluster(values.setting);
  try {
    await measure(root, await onPostgres(root, cluster, 1, { keep }), messages, load);
  } finally {
    await cluster.remove();
  }
}

async function measure(root: string, setup: Setup, messages: number, { events, shares }: Load): Promise<void> {
  const receiver = await startWebhookReceiver(root);
  const port = setup.replicas[0]?.httpPort ?? 0;
  await call(port, 'POST', '/v1/webhooks', { url: receiver.url, events });
  const rows: string[][] = [];
  const sizes: number[] = [];
  const began = performance.now();
  for (let step = 1; step <= STEPS; step += 1) {
    for (const [source, share] of shares) await send(setup, source, (messages / STEPS) * share);
    // Events with open deliveries stay, and the receiver is slower than the senders.
    while (await hasOpenDeliveries(setup)) await new Promise((resolve) => setTimeout(resolve, 100));
    const size = await setup.size();
    sizes.push(size);
    const counts: string[] = [];
    for (const table of TABLES) {
      const [found] = await setup.query(`SELECT count(*) AS count FROM ${table}`);
      counts.push(String(found?.count));
    }
    const rate = (((messages / STEPS) * step * 1_000) / (performance.now() - began)).toFixed(0);
    rows.push([String((messages / STEPS) * step), (size / 1e6).toFixed(1), rate, ...counts]);
  }
  console.log();
  printTable([setup.name, 'MB', '/s', ...TABLES], rows);
  await setup.settled();
  const { total } = await call(port, 'GET', '/v1/analytics/emails');
  // PostgreSQL's size rises and falls with each vacuum.
  const largest = (some: readonly number[]) => Math.max(...some);
  const growth = largest(sizes.slice(STEPS / 2)) / largest(sizes.slice(0, STEPS / 2));
  console.log(
    `largest size in the second half to that in the first: ${growth.toFixed(2)}; ` +
      `analytics count ${total.sent} sent, ${total.delivered} delivered of ${messages}`,
  );
  await setup.stop();
  await receiver.stop();
}

async function hasOpenDeliveries(setup: Setup): Promise<boolean> {
  return (await setup.query("SELECT 1 FROM deliveries WHERE state = 'pending' LIMIT 1")).length > 0;
}

/** Sends messages over all connections of a source. */
async function send(setup: Setup, source: Source, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: source.connections }, async (_, index) => {
      const client = await source.connect(setup, index);
      while (left > 0) {
        left -= 1;
        await client.send();
      }
      client.close();
    }),
  );
}
