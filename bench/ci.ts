import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { startServer } from '../src/testing/index.js';
import { describeMachine, median, printTable, quantile } from './support/figures.js';
import { SmtpClient } from './support/smtp-client.js';

/** Measures what a test suite in CI waits for: svc dev exec, the test kit, and waits for email. */

const ROUNDS = Number(process.env.SVC_BENCH_ROUNDS ?? 25);
/** Emails whose waits run at the same time. */
const PARALLEL = 200;

type Kit = { startServer: typeof startServer };
type Server = Awaited<ReturnType<typeof startServer>>;

export async function main(root: string): Promise<void> {
  // The kit would connect to the server that these name.
  for (const name of Object.keys(process.env)) if (name.startsWith('SVC_')) delete process.env[name];
  console.log(`Waiting times of a test suite; ${describeMachine()}`);
  console.log(`${ROUNDS} rounds after one that is not counted.\n`);
  const kit = (await import(pathToFileURL(join(root, 'dist/testing/index.js')).href)) as Kit;
  printTable(
    ['', 'p50', 'p99', 'goal'],
    [
      execRow(root),
      await startRow('startServer()', '250 ms', () => kit.startServer()),
      await startRow('startServer(), in-process', '60 ms', () => kit.startServer({ inProcess: true })),
      await resetRow(kit),
      await waitRow(kit),
      await parallelRow(kit),
    ],
  );
}

/** Returns the duration of a command with a server, as a ratio to a node process that does nothing. */
function execRow(root: string): string[] {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const command = [join(root, 'bin/run.js'), 'dev', 'exec', '--fresh', '--', 'true'];
  const ratios: number[] = [];
  // In turn, because other work on the machine slows both down.
  for (let round = -1; round < ROUNDS; round += 1) {
    const ratio = run(command, dataDir) / run(['-e', '0'], dataDir);
    if (round >= 0) ratios.push(ratio);
  }
  rmSync(dataDir, { recursive: true, force: true });
  const shown = (value: number) => `${value.toFixed(2)} ×`;
  return [
    'svc dev exec --fresh -- true, to node -e 0',
    shown(median(ratios)),
    shown(quantile(ratios, 0.99)),
    'p50 3.5 ×',
  ];
}

function run(args: string[], dataDir: string): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, SVC_DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - began;
}

async function startRow(name: string, goal: string, start: () => Promise<Server>): Promise<string[]> {
  return row(name, `p50 ${goal}`, async () => {
    let server: Server | undefined;
    const spent = await timed(async () => {
      server = await start();
    });
    await server?.close();
    return spent;
  });
}

async function resetRow(kit: Kit): Promise<string[]> {
  const server = await kit.startServer();
  const found = await row('reset() after 10 emails', 'p50 5 ms', async () => {
    for (let index = 0; index < 10; index += 1) await send(server, `ada${index}@example.test`);
    return timed(() => server.reset());
  });
  await server.close();
  return found;
}

/** Measures from the server's 250 to the answer of a wait that began before the message. */
async function waitRow(kit: Kit): Promise<string[]> {
  const server = await kit.startServer();
  const client = await SmtpClient.open(server.smtp.port);
  const times: number[] = [];
  for (let round = -20; round < ROUNDS * 8; round += 1) {
    const inbox = server.inbox();
    const answered = inbox.waitFor().then(() => performance.now());
    await client.sendMessage(MESSAGE, inbox.address);
    const acknowledged = performance.now();
    const spent = Math.max(0, (await answered) - acknowledged);
    if (round >= 0) times.push(spent);
  }
  client.close();
  await server.close();
  return described('SMTP 250 to the answer of a wait', times, 'p50 5, p99 15 ms');
}

async function parallelRow(kit: Kit): Promise<string[]> {
  const server = await kit.startServer();
  const found = await row(`${PARALLEL} waits at once, from the first send to the last answer`, '', async () => {
    const inboxes = Array.from({ length: PARALLEL }, () => server.inbox());
    return timed(async () => {
      const answers = inboxes.map((inbox) => inbox.waitFor({ timeout: '60s' }));
      await Promise.all(inboxes.map(({ address }) => send(server, address)));
      await Promise.all(answers);
    });
  });
  await server.close();
  return found;
}

const MESSAGE = Buffer.from('From: a@example.test\r\nTo: ada@example.test\r\nSubject: Hi\r\n\r\nYour code: 482913');

async function send({ client }: Server, to: string): Promise<void> {
  await client.call('emails.send', { body: { to, from: 'app@example.test', subject: 'Hi', html: '<p>Hi</p>' } });
}

async function row(name: string, goal: string, round: () => Promise<number>): Promise<string[]> {
  await round();
  const times: number[] = [];
  for (let index = 0; index < ROUNDS; index += 1) times.push(await round());
  return described(name, times, goal);
}

function described(name: string, times: readonly number[], goal: string): string[] {
  const shown = (value: number) => `${value.toFixed(1)} ms`;
  return [name, shown(median(times)), shown(quantile(times, 0.99)), goal];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
