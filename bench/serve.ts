import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { PostgresServer } from '../test/support/postgres.js';
import { ROUNDS, SECONDS } from './support/compare.js';
import { describeMachine, median, printTable, quantile } from './support/figures.js';
import { startDistance } from './support/serve/distance.js';
import { type Ingest, ingest, type Source, sources } from './support/serve/ingest.js';
import { streamTimes, waitTimes } from './support/serve/listeners.js';
import { rowOf, searchDelays } from './support/serve/searches.js';
import { onPostgres, onSqlite, type Setup, startCluster } from './support/serve/setups.js';
import { fill } from './support/serve/stored.js';

/** Measures a server for a team on SQLite and on PostgreSQL, with everything on this machine. */

const REPLICAS = [1, 3];
/** Messages that each replica accepts before it is measured. Until then, much of its code is not compiled. */
const WARM_UP = 5_000;
const PARTS = ['ingest', 'distance', 'stored', 'listeners', 'searches'];
/** SMTP has 50 connections, too: of ten, each replica has three or four, so its commits have few messages. */
const COMPARED: Source[] = [
  ...sources,
  ...sources.filter(({ name }) => name === 'SMTP').map((source) => ({ ...source, connections: 50 })),
];
/** Added milliseconds of a round trip to the database, and connections at once. */
const DISTANCES = { ms: [0, 20], connections: { REST: [1, 50, 400], SMTP: [1, 10, 100] } };
/** Stored emails while searches run, and how long they do. */
const SEARCHED = { emails: 300_000, seconds: 15 };
/** Emails for the subscribers of the event stream, and the milliseconds between them. */
const STREAMED = { emails: 20, everyMs: 200 };

export async function main(root: string): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      stored: { type: 'string', default: '10000,100000,1000000' },
      only: { type: 'string', default: PARTS.join() },
    },
  });
  const parts = values.only.split(',');
  const cluster = await startCluster();
  try {
    const [version] = await cluster.query('SHOW server_version');
    console.log(`${describeMachine()}; PostgreSQL ${version?.server_version}, shared_buffers 256 MB; load ${load()}`);
    console.log(
      `${ROUNDS} rounds of ${SECONDS} s each, in turn; medians. Client, servers and database share the cores.`,
    );
    if (parts.includes('ingest')) await compareIngest(root, cluster);
    if (parts.includes('distance')) await measureDistance(root, cluster);
    if (parts.includes('stored')) await measureStored(root, cluster, values.stored.split(',').map(Number));
    if (parts.includes('listeners')) await measureListeners(root, cluster);
    if (parts.includes('searches')) await measureSearches(root, cluster);
    console.log(`\nload ${load()}`);
  } finally {
    await cluster.remove();
  }
}

/** Compares the rates of SQLite with those of PostgreSQL. */
async function compareIngest(root: string, cluster: PostgresServer): Promise<void> {
  const setups = await startAll(root, cluster);
  for (const source of COMPARED) {
    const rounds = new Map<Setup, Ingest[]>(setups.map((setup) => [setup, []]));
    for (const setup of setups) await warmUp(setup, source);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const setup of setups) rounds.get(setup)?.push(await ingest(setup, source, SECONDS));
    }
    const first = setups[0] && rounds.get(setups[0]);
    const rows = [...rounds].map(([{ name }, found]) => {
      const ratio = (of: 'rate' | 'settled') =>
        median(found.map((each, round) => each[of] / (first?.[round]?.[of] ?? Number.NaN))).toFixed(2);
      return [name, middle(found, 'rate'), ratio('rate'), ratio('settled'), ...timesOf(found), ...cpuOf(found)];
    });
    console.log();
    printTable(
      [`${source.name}, ${source.connections} connections`, '/s', 'ratio', 'settled', 'p50 ms', 'p99 ms', ...CPU],
      rows,
    );
  }
  for (const setup of setups) await setup.stop();
}

async function warmUp(setup: Setup, source: Source): Promise<void> {
  for (let sent = 0; sent < WARM_UP * setup.replicas.length; ) {
    sent += (await ingest(setup, source, SECONDS)).times.length;
  }
}

/** Compares the rates of a replica next to its database and far from it, and counts round trips. */
async function measureDistance(root: string, cluster: PostgresServer): Promise<void> {
  const ways = await Promise.all(DISTANCES.ms.map((ms) => startDistance(cluster.port, ms)));
  const setups = await Promise.all(ways.map(({ port }) => onPostgres(root, cluster, 1, { port })));
  const rows: string[][] = [];
  for (const source of sources) {
    for (const connections of DISTANCES.connections[source.name]) {
      const found = await Promise.all(setups.map(() => [] as { rate: number; times: number[]; perCommit: number }[]));
      for (let round = -1; round < ROUNDS; round += 1) {
        for (const [index, setup] of setups.entries()) {
          ways[index]?.taken();
          const { rate, times } = await ingest(setup, { ...source, connections }, SECONDS);
          const { roundTrips = 0, commits = 0 } = ways[index]?.taken() ?? {};
          if (round >= 0) found[index]?.push({ rate, times, perCommit: roundTrips / commits });
        }
      }
      for (const [index, each] of found.entries()) {
        const ratio = median(each.map(({ rate }, round) => rate / (found[0]?.[round]?.rate ?? Number.NaN)));
        rows.push([
          `${source.name}, ${connections} connections, ${DISTANCES.ms[index]} ms`,
          median(each.map(({ rate }) => rate)).toFixed(0),
          ratio.toFixed(2),
          quantile(
            each.flatMap(({ times }) => times),
            0.5,
          ).toFixed(1),
          median(each.map(({ perCommit }) => perCommit)).toFixed(1),
        ]);
      }
    }
  }
  console.log('\nOne replica, with a proxy that delays its database. Goals: ratio 0.5, 4 round trips per commit.\n');
  printTable(['added round trip', '/s', 'ratio', 'p50 ms', 'round trips per commit'], rows);
  for (const setup of setups) await setup.stop();
  for (const way of ways) way.close();
}

/** Measures how the cost of a message grows with the number of stored ones. */
async function measureStored(root: string, cluster: PostgresServer, sizes: readonly number[]): Promise<void> {
  const setup = await onPostgres(root, cluster, 1);
  const rows: string[][] = [];
  const costs = new Map<string, number>();
  for (const size of sizes) {
    const began = performance.now();
    await fill(cluster, setup, size);
    const seconds = ((performance.now() - began) / 1_000).toFixed(0);
    for (const source of sources) {
      await ingest(setup, source, SECONDS);
      const found: Ingest[] = [];
      for (let round = 0; round < ROUNDS; round += 1) found.push(await ingest(setup, source, SECONDS));
      const cost = median(found.map(({ servers, database }) => servers + database));
      if (!costs.has(source.name)) costs.set(source.name, cost);
      const growth = (cost / (costs.get(source.name) ?? cost)).toFixed(2);
      rows.push([
        `${size}, ${source.name}`,
        middle(found, 'rate'),
        ...timesOf(found),
        ...cpuOf(found),
        growth,
        seconds,
      ]);
    }
  }
  console.log();
  printTable(['stored emails', '/s', 'p50 ms', 'p99 ms', ...CPU, 'CPU growth', 'filled in s'], rows);
  await setup.stop();
}

/** Measures event streams and waits. */
async function measureListeners(root: string, cluster: PostgresServer): Promise<void> {
  const setups = await startAll(root, cluster);
  const rows: string[][] = [];
  for (const setup of setups) {
    await streamTimes(setup, 3, STREAMED.everyMs);
    const times = await streamTimes(setup, STREAMED.emails, STREAMED.everyMs);
    await waitTimes(setup);
    const waits = await waitTimes(setup);
    const shown = [times, waits].flatMap((each) => [quantile(each, 0.5), quantile(each, 0.99)]);
    rows.push([setup.name, ...shown.map((ms) => ms.toFixed(0)), Math.max(...waits).toFixed(0)]);
  }
  console.log(`\nFrom the send to 500 subscribers (${1_000 / STREAMED.everyMs} emails a second; goal p99 250 ms),`);
  console.log('and from the first of 200 sends at once to the answers of 200 waits.\n');
  printTable(['ms', 'events p50', 'p99', 'waits p50', 'p99', 'last'], rows);
  for (const setup of setups) await setup.stop();
}

/** Measures how searches delay probes and sends. */
async function measureSearches(root: string, cluster: PostgresServer): Promise<void> {
  const setup = await onPostgres(root, cluster, 1, { access: 'team' });
  await fill(cluster, setup, SEARCHED.emails);
  const { alone, searched } = await searchDelays(setup, SEARCHED.seconds);
  console.log(
    `\n50 searches of two letters at once, at ${SEARCHED.emails} emails. Goals: /readyz 100 ms, POST p99 250 ms.\n`,
  );
  const columns = ['/readyz p50', 'p99', 'max', 'POST p50', 'p99', 'max', 'search p50', 'max', 'searches'];
  printTable(['ms', ...columns], [rowOf('without searches', alone), rowOf('with searches', searched)]);
  await setup.stop();
}

async function startAll(root: string, cluster: PostgresServer): Promise<Setup[]> {
  const setups = [await onSqlite(root)];
  for (const count of REPLICAS) setups.push(await onPostgres(root, cluster, count));
  return setups;
}

const CPU = ['client CPU µs', 'servers', 'database', 'together'];

function cpuOf(found: readonly Ingest[]): string[] {
  const together = median(found.map(({ client, servers, database }) => client + servers + database));
  return [middle(found, 'client'), middle(found, 'servers'), middle(found, 'database'), together.toFixed(0)];
}

function timesOf(found: readonly Ingest[]): string[] {
  const times = found.flatMap((each) => each.times);
  return [quantile(times, 0.5).toFixed(1), quantile(times, 0.99).toFixed(1)];
}

function middle(found: readonly Ingest[], of: 'rate' | 'client' | 'servers' | 'database'): string {
  return median(found.map((each) => each[of])).toFixed(0);
}

function load(): string {
  return readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? '';
}
