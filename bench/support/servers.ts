import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Starts the servers to measure, each in a process of its own. */

export interface Server {
  /** Returns the processor time spent so far, in microseconds. Linux only. */
  cpu(): number;
  stop(): Promise<void>;
}

export interface BareServer extends Server {
  port: number;
}

export interface Svc extends Server {
  httpPort: number;
  smtpPort: number;
  apiKey: string;
  dataDir: string;
  pid: number;
  /** Ends the process as `kill -9` does; the data directory remains. */
  kill(): Promise<void>;
  /** Waits until all accepted emails have been parsed and delivered. */
  settled(): Promise<void>;
}

/** Starts a baseline server of bench/bare. */
export async function startBare(root: string, name: string): Promise<BareServer> {
  const { child, ready } = await start([join(root, 'bench/bare', `${name}.js`)]);
  return { port: ready.port as number, cpu: () => cpuOf(child), stop: () => stop(child) };
}

/**
 * Starts the built `svc dev` without the limits of a plan, on a data directory of its own, and returns once it is ready.
 * Its output is read and discarded. SVC_BENCH_NODE_OPTIONS holds options of node, for a profiler.
 */
export async function startSvc(
  root: string,
  dataDir = mkdtempSync(join(process.env.SVC_BENCH_DIR ?? tmpdir(), 'svc-bench-')),
  flags: string[] = [],
): Promise<Svc> {
  const options = (process.env.SVC_BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean);
  const { child, ready } = await start([
    ...options,
    join(root, 'bin/run.js'),
    ...['dev', '--http-port', '0', '--smtp-port', '0', '--plan', 'none', '--data-dir', dataDir, '--json'],
    ...flags,
  ]);
  const { base_url, smtp, api_key } = ready as { base_url: string; smtp: { port: number }; api_key: string };
  return {
    httpPort: Number(new URL(base_url).port),
    smtpPort: smtp.port,
    apiKey: api_key,
    dataDir,
    pid: child.pid ?? 0,
    cpu: () => cpuOf(child),
    async kill() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    async settled() {
      for (;;) {
        const response = await fetch(`${base_url}/emails?status=sent&limit=1`, {
          headers: { authorization: `Bearer ${api_key}` },
        });
        const { data } = (await response.json()) as { data: { pagination: { total: number } } };
        if (data.pagination.total === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async stop() {
      await stop(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the type of the directory's file system: a memory disk would hide the cost of a flush. */
export function fileSystemOf(directory: string): string {
  return execFileSync('stat', ['--file-system', '--format', '%T', directory], { encoding: 'utf8' }).trim();
}

async function start(args: string[]): Promise<{ child: ChildProcess; ready: Record<string, unknown> }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${args.join(' ')} did not start`))),
  ]);
  lines.close();
  child.stdout.resume();
  return { child, ready: JSON.parse(line as string) as Record<string, unknown> };
}

/** Reads fields 14 and 15 of /proc/PID/stat: the processor time of all threads, in hundredths of a second. */
export function cpuOf({ pid }: Pick<ChildProcess, 'pid'>): number {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return Number.NaN;
  const fields = readFileSync(stat, 'utf8').split(') ').pop()?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
