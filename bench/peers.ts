import { describeMachine, median, printTable } from './support/figures.js';
import { findPeers } from './support/peers/find-peers.js';
import { numbered } from './support/peers/message.js';
import type { Peer } from './support/peers/peer.js';
import { fileSystemOf } from './support/servers.js';
import { MESSAGE, SmtpClient } from './support/smtp-client.js';

/** Compares svc with other servers that capture email: `npm run bench:peers -- 10000`. */

const MESSAGES = 10_000;
const ROUNDS = 5;
/** Number of times that a list or a search is requested. */
const READS = 21;

interface Shape {
  name: string;
  connections: number;
  /** Whether each message has a connection of its own. */
  reconnects: boolean;
  /** Part of the messages. smtp-server, which maildev uses, waits 100 ms before each greeting. */
  part: number;
}

const SHAPES: Shape[] = [
  { name: '1 connection', connections: 1, reconnects: false, part: 0.3 },
  { name: '10 connections', connections: 10, reconnects: false, part: 0.6 },
  { name: 'one message per connection', connections: 1, reconnects: true, part: 0.05 },
];
/** Not counted: code is compiled when it first runs, and files grow to their size. */
const WARM_UP: Shape = { name: 'warm-up', connections: 10, reconnects: false, part: 0.05 };

/** What was measured of a peer: messages a second of each round by shape, and the rest once. */
interface Figures {
  rates: Map<string, number[]>;
  sent: number;
  cpuMicroseconds: number;
}

export async function main(root: string): Promise<void> {
  const total = Number(process.argv[3] ?? MESSAGES);
  if (!Number.isSafeInteger(total) || total < 200) throw new Error('The number of messages must be at least 200.');
  const { peers, skipped } = await findPeers(root);
  try {
    const [directory = '.'] = peers.map((peer) => peer.directory);
    console.log(
      `${total} messages of ${MESSAGE.length} bytes; ${describeMachine()}; data on ${fileSystemOf(directory)}`,
    );
    console.log(`${ROUNDS} rounds, the servers in turn; medians. CPU includes the work after the replies.\n`);
    for (const line of skipped) console.log(line);
    const measured = await loadInTurn(peers, total);
    printRates(peers, measured);
    await printStored(peers, measured, total);
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

async function loadInTurn(peers: readonly Peer[], total: number): Promise<Map<Peer, Figures>> {
  const measured = new Map(peers.map((peer): [Peer, Figures] => [peer, newFigures()]));
  for (const [peer, figures] of measured) await playRound(peer, figures, WARM_UP, Math.round(total * WARM_UP.part));
  for (const figures of measured.values()) figures.rates.clear();
  for (const shape of SHAPES) {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [peer, figures] of measured) {
        await playRound(peer, figures, shape, Math.round((total * shape.part) / ROUNDS));
      }
    }
  }
  return measured;
}

function newFigures(): Figures {
  return { rates: new Map(), sent: 0, cpuMicroseconds: 0 };
}

/** Sends messages and waits until the peer has stored and processed all of them. */
async function playRound(peer: Peer, figures: Figures, shape: Shape, count: number): Promise<void> {
  const cpuBefore = peer.cpu();
  const began = performance.now();
  const numbers = Array.from({ length: count }, (_, index) => figures.sent + index).values();
  await Promise.all(Array.from({ length: shape.connections }, () => sendAll(peer, shape, numbers)));
  const seconds = (performance.now() - began) / 1_000;
  figures.sent += count;
  await peer.settled(figures.sent);
  figures.cpuMicroseconds += peer.cpu() - cpuBefore;
  figures.rates.set(shape.name, [...(figures.rates.get(shape.name) ?? []), count / seconds]);
}

async function sendAll(peer: Peer, { reconnects }: Shape, numbers: Iterable<number>): Promise<void> {
  let client: SmtpClient | undefined;
  for (const number of numbers) {
    client ??= await SmtpClient.open(peer.smtpPort);
    await client.sendMessage(numbered(number), 'grace@example.test');
    if (!reconnects) continue;
    await client.quit();
    client = undefined;
  }
  await client?.quit();
}

function printRates(peers: readonly Peer[], measured: ReadonlyMap<Peer, Figures>): void {
  printTable(
    ['messages/s', ...SHAPES.map(({ name }) => name), 'CPU µs each'],
    peers.map((peer) => {
      const { rates, sent, cpuMicroseconds } = measured.get(peer) ?? newFigures();
      const shown = SHAPES.map(({ name }) => median(rates.get(name) ?? []).toFixed(0));
      return [peer.name, ...shown, (cpuMicroseconds / sent).toFixed(0)];
    }),
  );
}

async function printStored(peers: readonly Peer[], measured: ReadonlyMap<Peer, Figures>, total: number): Promise<void> {
  const rows: string[][] = [];
  const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(0);
  for (const peer of peers) {
    const { sent } = measured.get(peer) ?? newFigures();
    // Before the reads, which need memory too.
    const sizes = [megabytes(peer.memory()), megabytes(peer.bytesOnDisk())];
    const number = Math.floor(sent / 3);
    const times = [
      await timeOf(() => peer.list(), 50),
      await timeOf(() => peer.search(String(100_000 + number)), 1),
      await timeOf(() => peer.search('shipped'), 50),
    ];
    rows.push([peer.name, String(sent), ...sizes, ...times.map((time) => time.toFixed(1))]);
  }
  console.log(`\nWith ${total} messages stored; milliseconds for the first 50:`);
  printTable(['', 'stored', 'memory MB', 'disk MB', 'list', 'search for 1', 'search for all'], rows);
}

/** Returns the median of the milliseconds of a read. @throws Error if it does not return this many messages. */
async function timeOf(read: () => Promise<number>, expected: number): Promise<number> {
  const spent: number[] = [];
  for (let round = 0; round < READS; round += 1) {
    const began = performance.now();
    const found = await read();
    spent.push(performance.now() - began);
    if (found !== expected) throw new Error(`A read returned ${found} messages instead of ${expected}.`);
  }
  return median(spent);
}
