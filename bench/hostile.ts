import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, attacks } from './support/attacks.js';
import { describeMachine, printTable } from './support/figures.js';
import { printGrowth } from './support/growth.js';
import { childrenOf, memoryOf, watchMemory } from './support/process-memory.js';
import { type Svc, startSvc } from './support/servers.js';
import { SmtpClient } from './support/smtp-client.js';

/** Sends messages that are made to freeze a server, and measures how they affect another client. */

const P99_MS = 100;
const WORST_MS = 250;
const STOP_MS = 1_000;
const MB = 1024 * 1024;
/** Memory allowed on top of three times the message: the limit of one worker. */
const MEMORY_MB = 512;
const PATIENCE_MS = 60_000;

export async function main(root: string): Promise<void> {
  console.log(`Hostile messages; ${describeMachine()}`);
  console.log(
    `Goals: p99 ${P99_MS} ms, worst ${WORST_MS} ms, memory 3 x the message + ${MEMORY_MB} MB, stop ${STOP_MS} ms.\n`,
  );
  const only = process.env.SVC_BENCH_ATTACK;
  const rows: string[][] = [];
  for (const attack of attacks) {
    if (only && !attack.name.includes(only)) continue;
    rows.push(await row(root, attack));
    console.log(rows.at(-1)?.join('  '));
  }
  console.log();
  printTable(
    [
      'attack',
      'MB',
      'answered',
      'p99 ms',
      'worst ms',
      'done s',
      'idle MB',
      'peak MB',
      'listed',
      'stop ms',
      'after kill -9',
      'goals',
    ],
    rows,
  );
  console.log();
  await printGrowth();
}

async function row(root: string, attack: Attack): Promise<string[]> {
  const messages = attack.messages?.() ?? [];
  const size = Math.max(0, ...messages.map(({ length }) => length), attack.unfinished?.bytes ?? 0);
  const svc = await startSvc(root);
  const probe = await startProbe(svc);
  await sleep(300);
  await probe.report();
  const idle = memoryOf(svc.pid);
  const memory = watchMemory(svc.pid);
  const began = performance.now();
  const accepted = await carryOut(svc, attack, messages);
  const listed = await readAll(svc, accepted);
  const seconds = (performance.now() - began) / 1_000;
  const { count, p99, worst } = await probe.report();
  const peak = memory.stop();
  probe.stop();
  const stopMs = await stopDuring(svc, attack, messages);
  const survived = attack.messages ? await killDuring(root, attack, messages) : '-';
  const allowed = 3 * size + MEMORY_MB * MB;
  const missed = [
    p99 > P99_MS && 'p99',
    worst > WORST_MS && 'worst',
    peak > allowed && 'memory',
    listed !== 'all' && 'listed',
    stopMs > STOP_MS && 'stop',
  ].filter((each) => each !== false);
  return [
    attack.name,
    (size / MB).toFixed(1),
    String(count),
    p99.toFixed(0),
    worst.toFixed(0),
    seconds.toFixed(1),
    (idle / MB).toFixed(0),
    (peak / MB).toFixed(0),
    listed,
    stopMs.toFixed(0),
    survived,
    missed.length === 0 ? 'met' : `NOT: ${missed.join(', ')}`,
  ];
}

/** Sends all messages at once. Returns the number of accepted messages. */
async function carryOut(svc: Svc, { to, rest, unfinished }: Attack, messages: Buffer[]): Promise<number> {
  if (rest) {
    await post(svc, await pathOf(svc, rest), rest.body(), rest.type);
    return 0;
  }
  if (unfinished) {
    const clients = await Promise.all(
      Array.from({ length: unfinished.connections }, () => SmtpClient.open(svc.smtpPort)),
    );
    await Promise.all(clients.map((client) => client.sendUnfinished(unfinished.bytes)));
    await sleep(500);
    for (const client of clients) client.close();
    return 0;
  }
  const sent = await Promise.all(
    messages.map(async (message) => {
      const client = await SmtpClient.open(svc.smtpPort);
      const accepted = await client.sendMessage(message, to).then(
        () => true,
        () => false,
      );
      client.close();
      return accepted;
    }),
  );
  return sent.filter(Boolean).length;
}

async function pathOf(svc: Svc, { path, template }: NonNullable<Attack['rest']>): Promise<string> {
  if (template === undefined) return path;
  const body = JSON.stringify({ name: `hostile ${performance.now()}`, subject: 's', html: template });
  const created = await post(svc, '/v1/templates', body);
  if (!created?.ok) throw new Error('The template was refused.');
  const { data } = (await created.json()) as { data: { id: string } };
  return path.replace('{id}', data.id);
}

/** Returns the response; undefined when the server does not respond in time. */
function post(svc: Svc, path: string, body: string | Buffer, type = 'application/json'): Promise<Response | undefined> {
  return fetch(`http://127.0.0.1:${svc.httpPort}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': type },
    body: body as string,
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
}

/** Lists the accepted emails and reads their inspections, until all are parsed. */
async function readAll(svc: Svc, accepted: number): Promise<string> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const list = await get(svc, '/v1/emails?limit=100');
    const emails = (list?.emails ?? []) as { id: string }[];
    const total = (list?.pagination as { total: number } | undefined)?.total ?? 0;
    let parsing = 0;
    for (const { id } of emails) if ((await get(svc, `/_svc/emails/${id}`))?.parsing !== false) parsing += 1;
    if (parsing === 0 && total >= accepted) return 'all';
    if (performance.now() > deadline) return `${total - parsing} of ${accepted}`;
  }
}

async function get(svc: Svc, path: string): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(`http://127.0.0.1:${svc.httpPort}${path}`, {
    headers: { authorization: `Bearer ${svc.apiKey}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
  return response?.ok ? ((await response.json()) as { data: Record<string, unknown> }).data : undefined;
}

/** Repeats the attack and stops the server in the middle of it. Returns how long the stop takes, in milliseconds. */
async function stopDuring(svc: Svc, attack: Attack, messages: Buffer[]): Promise<number> {
  const again = carryOut(svc, attack, messages).catch(() => 0);
  await Promise.race([again, sleep(300)]);
  const began = performance.now();
  await Promise.race([svc.stop(), sleep(20_000).then(() => svc.kill())]);
  return performance.now() - began;
}

/** Kills a server in the middle of an attack, and starts another on its data directory. */
async function killDuring(root: string, attack: Attack, messages: Buffer[]): Promise<string> {
  const svc = await startSvc(root);
  const accepted = await carryOut(svc, attack, messages);
  const children = childrenOf(svc.pid);
  await svc.kill();
  const next = await startSvc(root, svc.dataDir);
  const listed = await readAll(next, accepted);
  const orphans = children.filter((pid) => isAlive(pid)).length;
  await next.stop();
  return `${listed}${orphans > 0 ? `, ${orphans} orphans` : ''}`;
}

function isAlive(pid: number): boolean {
  try {
    // A process that has ended is a zombie until its new parent collects it.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

interface Probe {
  report(): Promise<{ count: number; p99: number; worst: number }>;
  stop(): void;
}

async function startProbe(svc: Svc): Promise<Probe> {
  const file = join(process.cwd(), 'bench/bare/probe.js');
  const child: ChildProcess = spawn(process.execPath, [file, `http://127.0.0.1:${svc.httpPort}/_svc/health`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  await lines.next();
  return {
    async report() {
      child.stdin?.write('\n');
      return JSON.parse((await lines.next()).value as string);
    },
    stop: () => child.kill(),
  };
}
