import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { AppOptions } from '../../../src/app/app.js';
import { bundledProgram } from '../bundled-program.js';
import { type Ready, ROOT, text } from '../cli/binary.js';

/** Starts servers in processes of their own, which share one database. */

/** The options of a server that JSON can have. */
export interface ReplicaSettings
  extends Pick<AppOptions, 'storage' | 'apiKey' | 'webhookSecret' | 'retrySchedule' | 'retention' | 'plan'> {
  httpPort?: number;
  smtpPort?: number;
  /** Milliseconds by which the clock of its machine is ahead. */
  skewMs?: number;
}

export interface Replica {
  ready: Pick<Ready, 'base_url' | 'smtp' | 'api_key'>;
  child: ChildProcess;
  /** All of stderr, once it has ended. */
  stderr: Promise<string>;
  /** Ends the process and resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface ReplicaProgram {
  /** Starts a process without waiting until it is ready. `ready` fails if it ends before. */
  begin(settings: ReplicaSettings): { child: ChildProcess; ready: Promise<Replica> };
  start(settings: ReplicaSettings): Promise<Replica>;
  remove(): void;
}

/** Bundles the program of a replica. */
export async function replicaProgram(): Promise<ReplicaProgram> {
  const { file, remove } = await bundledProgram('test/support/replicas/replica.ts');
  function begin(settings: ReplicaSettings): { child: ChildProcess; ready: Promise<Replica> } {
    const child = spawn(process.execPath, [file, JSON.stringify(settings)], { cwd: ROOT, stdio: 'pipe' });
    return { child, ready: whenReady(child) };
  }
  return {
    begin,
    start: (settings) => begin(settings).ready,
    remove,
  };
}

async function whenReady(child: ChildProcessWithoutNullStreams): Promise<Replica> {
  const exited = once(child, 'exit');
  const stderr = text(child.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await Promise.race([lines.next(), exited.then(() => undefined)]);
  if (!first || first.done) throw new Error(`The replica did not start: ${await stderr}`);
  return {
    ready: JSON.parse(first.value) as Replica['ready'],
    ...{ child, stderr },
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await exited;
    },
  };
}
