import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf, memoryOf, peakMemoryOf } from '../process-memory.js';
import { cpuOf } from '../servers.js';

/** Starts and measures servers that capture email. */

/** A server that captures email, in a process of its own. */
export interface Peer {
  /** Name and version. */
  name: string;
  smtpPort: number;
  /** The directory with everything that it stores. */
  directory: string;
  /** Returns the processor time so far of the process and its children, in microseconds. */
  cpu(): number;
  /** Returns the resident memory of the process and its children, in bytes. */
  memory(): number;
  /** Returns the most memory that the process and its present children have occupied, in bytes. */
  peakMemory(): number;
  /** Milliseconds from the start of the process until HTTP and SMTP answered. */
  startMs: number;
  /** Returns the bytes that its files occupy on the disk. */
  bytesOnDisk(): number;
  /** Waits until this many messages are stored and processed. */
  settled(count: number): Promise<void>;
  /** Requests the newest 50 messages, and returns the number of those in the response. */
  list(): Promise<number>;
  /** Requests the first 50 messages with a word, and returns the number of those in the response. */
  search(word: string): Promise<number>;
  /** Requests a list of the newest 100 messages. */
  newest(): Promise<{ id: string; subject: string }[]>;
  /** Reads a message: the number of its links, and its codes, if the server finds codes. */
  read(id: string): Promise<{ links: number; codes?: string[] }>;
  /** Returns the number of messages with a word, as far as the first `count` of them. */
  matching(word: string, count: number): Promise<number>;
  /** Where a message is posted, and how; absent if the server takes none over HTTP. */
  post?: { port: number; path: string; apiKey: string; body: object; status: number };
  stop(): Promise<void>;
}

/** Milliseconds without CPU time after which a server is at rest. */
const REST_MS = 500;

/** CPU time in that time, in microseconds, that a server at rest takes for its timers: one tick of the clock. */
const REST_CPU = 10_000;

/** Waits until a server has come to rest. @throws Error if it does not. */
export async function atRest(peer: Peer): Promise<void> {
  let before = peer.cpu();
  await untilTrue(`${peer.name} is at rest`, async () => {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const now = peer.cpu();
    const isResting = now - before <= REST_CPU;
    before = now;
    return isResting;
  });
}

/** Reading the modules of a new installation takes long on a busy machine. */
const START_MS = 300_000;
const POLL_MS = 20;
const CONDITION_MS = 120_000;

/** Returns a new directory for what a server stores. */
export function newDirectory(): string {
  return mkdtempSync(join(process.env.SVC_BENCH_DIR ?? tmpdir(), 'svc-bench-'));
}

/** Returns the measurements of a process by its id. */
export function measures(pid: number, directory: string): Pick<Peer, 'cpu' | 'memory' | 'peakMemory' | 'bytesOnDisk'> {
  return {
    cpu: () => [pid, ...childrenOf(pid)].reduce((sum, each) => sum + cpuOf({ pid: each }), 0),
    memory: () => memoryOf(pid),
    peakMemory: () => peakMemoryOf(pid),
    bytesOnDisk: () => bytesIn(directory),
  };
}

/** Returns the bytes that the files in a directory occupy, in blocks of 512 bytes. */
function bytesIn(directory: string): number {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files.reduce((sum, file) => sum + statSync(join(directory, file)).blocks * 512, 0);
}

/** Returns a port that was free a moment ago, for servers that do not choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A started program, and how to end it. */
interface Started {
  pid: number;
  startMs: number;
  stop(): Promise<void>;
}

/** Starts a program and waits until `url` responds. Its directory is removed when it stops. */
export async function startProgram(command: string, args: string[], url: string, directory: string): Promise<Started> {
  const began = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const stop = async () => {
    await end(child);
    rmSync(directory, { recursive: true, force: true });
  };
  const deadline = performance.now() + START_MS;
  while (!(await responds(url))) {
    if (child.exitCode === null && performance.now() < deadline) {
      await pause();
      continue;
    }
    const reason = child.exitCode === null ? `did not respond at ${url}` : `ended with ${child.exitCode}`;
    await stop();
    throw new Error(`${[command, ...args].join(' ')} ${reason}`);
  }
  return { pid: child.pid ?? 0, startMs: performance.now() - began, stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function responds(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** Returns the JSON of a response. @throws Error for a status other than 2xx. */
export async function getJson<T>(url: string, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  return (await response.json()) as T;
}

/** Tests a condition until it is true. @throws Error that names it if that takes too long. */
export async function untilTrue(name: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + CONDITION_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`After ${CONDITION_MS / 1_000} s, it is false that ${name}.`);
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
