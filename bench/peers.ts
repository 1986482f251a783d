import { spawn } from 'node:child_process';
import { describeMachine, median, printTable } from './support/figures.js';
import { HttpClient } from './support/http-client.js';
import { findPeers } from './support/peers/find-peers.js';
import { codeOf, LINKS, numbered, subjectOf } from './support/peers/message.js';
import { atRest, type Peer, untilTrue } from './support/peers/peer.js';
import { fileSystemOf } from './support/servers.js';
import { SmtpClient } from './support/smtp-client.js';

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

const COLUMNS = SHAPES.flatMap(({ name }) => [name, `${name}, complete`]);

/** Shapes with enough messages in a round that the reads which test whether they are complete do not count. */
const CPU_OF = ['1 connection', '10 connections'];

/** What was measured of a peer in each round: messages a second by column, and CPU time of a message by shape. */
interface Figures {
  rates: Map<string, number[]>;
  cpuMicroseconds: Map<string, number[]>;
  sent: number;
}

export async function main(root: string): Promise<void> {
  const total = Number(process.argv[3] ?? MESSAGES);
  if (!Number.isSafeInteger(total) || total < 200) throw new Error('The number of messages must be at least 200.');
  const { peers, skipped } = await findPeers(root);
  try {
    const [directory = '.'] = peers.map((peer) => peer.directory);
    console.log(
      `${total} messages of ${numbered(0).length} bytes with ${LINKS} links; ${describeMachine()}; data on ${fileSystemOf(directory)}`,
    );
    console.log(`${ROUNDS} rounds, the servers in turn; medians. CPU includes the work after the replies.\n`);
    console.log('Mailpit does not flush its commits to disk; svc does before it answers.');
    for (const line of skipped) console.log(line);
    const measured = await loadInTurn(peers, total);
    printRates(peers, measured);
    await printStored(peers, measured, total);
    await printPosts(peers);
    const [svc] = peers;
    if (svc) await printFirstReads(svc);
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

async function loadInTurn(peers: readonly Peer[], total: number): Promise<Map<Peer, Figures>> {
  const measured = new Map(peers.map((peer): [Peer, Figures] => [peer, newFigures()]));
  for (const [peer, figures] of measured) await playRound(peer, figures, WARM_UP, Math.round(total * WARM_UP.part));
  for (const { rates, cpuMicroseconds } of measured.values()) {
    rates.clear();
    cpuMicroseconds.clear();
  }
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
  return { rates: new Map(), cpuMicroseconds: new Map(), sent: 0 };
}

/** Sends messages and waits until the peer has stored and processed all of them. */
async function playRound(peer: Peer, figures: Figures, shape: Shape, count: number): Promise<void> {
  const cpuBefore = peer.cpu();
  const began = performance.now();
  const numbers = Array.from({ length: count }, (_, index) => figures.sent + index).values();
  await Promise.all(Array.from({ length: shape.connections }, () => sendAll(peer, shape, numbers)));
  const seconds = (performance.now() - began) / 1_000;
  figures.sent += count;
  await complete(peer, figures.sent);
  record(figures.rates, `${shape.name}, complete`, (count * 1_000) / (performance.now() - began));
  await atRest(peer);
  record(figures.cpuMicroseconds, shape.name, (peer.cpu() - cpuBefore) / count);
  record(figures.rates, shape.name, count / seconds);
}

function record(rounds: Map<string, number[]>, name: string, figure: number): void {
  rounds.set(name, [...(rounds.get(name) ?? []), figure]);
}

/** Messages of a list and read messages of which the contents are compared. */
const READ = 50;

/** Waits until all messages are listed with their subjects, read with their links and codes, and found. */
async function complete(peer: Peer, count: number): Promise<void> {
  await peer.settled(count);
  await untilTrue('the newest emails are listed with their subjects', async () =>
    (await peer.newest()).every(({ subject }) => /order \d{6} /.test(subject)),
  );
  const newest = await peer.newest();
  for (let read = 0; read < READ; read += 1) {
    const { id, subject } = newest[Math.floor(Math.random() * newest.length)] as { id: string; subject: string };
    await untilTrue(`${subject} has its links and its code`, async () => {
      const { links, codes } = await peer.read(id);
      const code = codeOf(Number(/order (\d{6})/.exec(subject)?.[1]) - 100_000);
      return links === LINKS && (codes === undefined || codes.includes(code));
    });
  }
  await untilTrue(`a search of ${peer.name} counts all`, async () => (await peer.matching('shipped', count)) >= count);
}

async function printPosts(peers: readonly Peer[]): Promise<void> {
  const posting = peers.filter(({ post }) => post !== undefined);
  const rows = await Promise.all([1, 10].map(async (connections) => ({ connections, rates: new Map<Peer, number>() })));
  for (const row of rows) {
    for (const peer of posting) row.rates.set(peer, await postRate(peer, row.connections));
  }
  console.log('\nPOST of the same text and HTML:');
  printTable(
    ['messages/s', '1 connection', '10 connections'],
    posting.map((peer) => [peer.name, ...rows.map(({ rates }) => (rates.get(peer) ?? 0).toFixed(0))]),
  );
}

const POST_MS = 2_000;

async function postRate({ post }: Peer, connections: number): Promise<number> {
  if (!post) return 0;
  const { port, path, apiKey, body, status } = post;
  let count = 0;
  const until = performance.now() + POST_MS;
  const clients = Array.from({ length: connections }, () => HttpClient.post(port, path, apiKey, body, status));
  const postAll = async (client: HttpClient) => {
    for (; performance.now() < until; count += 1) await client.exchange();
    client.close();
  };
  await Promise.all(clients.map(postAll));
  return (count * 1_000) / POST_MS;
}

const FIRST_READS = 500;
const BUSY = 3;

/** Counts first reads right after 250 that are wrong or incomplete, while other processes are busy. */
async function printFirstReads(svc: Peer): Promise<void> {
  const busy = Array.from({ length: BUSY }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  const client = await SmtpClient.open(svc.smtpPort);
  let wrong = 0;
  try {
    for (let read = 0; read < FIRST_READS; read += 1) {
      const number = 800_000 + read;
      await client.sendMessage(numbered(number), 'grace@example.test');
      const [newest] = await svc.newest();
      const found = newest && newest.subject === subjectOf(number) ? await svc.read(newest.id) : undefined;
      if (found?.links !== LINKS || !found.codes?.includes(codeOf(number))) wrong += 1;
    }
  } finally {
    await client.quit();
    for (const each of busy) each.kill('SIGKILL');
  }
  console.log(
    `\nWith ${BUSY} busy processes, ${wrong} of ${FIRST_READS} reads right after 250 were wrong or incomplete.`,
  );
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
  const rowOf = (peer: Peer) => {
    const { rates, cpuMicroseconds } = measured.get(peer) ?? newFigures();
    const ofRounds = (rounds: Map<string, number[]>, names: string[]) =>
      names.map((name) => median(rounds.get(name) ?? []));
    return [...ofRounds(rates, COLUMNS), ...ofRounds(cpuMicroseconds, CPU_OF)];
  };
  const [svc] = peers;
  const mailpit = peers.find(({ name }) => name.startsWith('Mailpit'));
  const other = mailpit && rowOf(mailpit);
  const ratios =
    svc && other ? [['svc to Mailpit', ...rowOf(svc).map((own, at) => (own / (other[at] ?? 0)).toFixed(2))]] : [];
  printTable(
    ['messages/s', ...COLUMNS, ...CPU_OF.map((name) => `${name}, CPU µs each`)],
    [...peers.map((peer) => [peer.name, ...rowOf(peer).map((each) => each.toFixed(0))]), ...ratios],
  );
}

async function printStored(peers: readonly Peer[], measured: ReadonlyMap<Peer, Figures>, total: number): Promise<void> {
  const rows: string[][] = [];
  const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(0);
  for (const peer of peers) {
    const { sent } = measured.get(peer) ?? newFigures();
    // Before the reads, which need memory too.
    const sizes = [
      peer.startMs.toFixed(0),
      megabytes(peer.memory()),
      megabytes(peer.peakMemory()),
      megabytes(peer.bytesOnDisk()),
    ];
    const number = Math.floor(sent / 3);
    const times = [
      await timeOf(() => peer.list(), 50),
      await timeOf(() => peer.search(String(100_000 + number)), 1),
      await timeOf(() => peer.search('shipped'), 50),
    ];
    rows.push([peer.name, String(sent), ...sizes, ...times.map((time) => time.toFixed(1))]);
  }
  console.log(`\nWith ${total} messages stored; milliseconds for the first 50:`);
  printTable(
    ['', 'stored', 'start ms', 'memory MB', 'peak MB', 'disk MB', 'list', 'search for 1', 'search for all'],
    rows,
  );
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
