import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER_ONLY } from '../../file-modes.js';
import { LOG_FILE } from '../../storage/data-dir-files.js';
import { createDataDir, unusableDataDir } from '../data-dir/data-dir.js';

/** Starts `svc dev` in the background. Its output is the log file of the data directory. */

export interface DetachedStart {
  /** Whether the server is ready, and commands find it by its data directory. */
  ready: boolean;
  /** Everything that the server has printed so far. */
  output: string;
  logFile: string;
  /** The exit code of a server that ended; null while it is running, or after a signal. */
  code: number | null;
}

/** What a server sends to the process that started it in the background, once it is ready. */
interface ReadyMessage {
  foundIn: string | null;
}

/** Reports to the process that started this one in the background; does nothing if none did. */
export function reportReady(foundIn: string | null): void {
  const message: ReadyMessage = { foundIn };
  process.send?.(message, undefined, {}, () => process.connected && process.disconnect());
}

/**
 * Starts `svc dev` with these arguments in a session of its own, and waits until it is ready or has ended. The signal
 * ends a server that is still starting.
 */
export async function startDetached(
  args: readonly string[],
  dataDir: string,
  signal: AbortSignal,
): Promise<DetachedStart> {
  createDataDir(dataDir);
  const logFile = join(dataDir, LOG_FILE);
  // Replaces the log only once the server has started: another server may be running, and writing to it.
  const starting = `${logFile}.${process.pid}`;
  const child = spawnWith(args, openLog(starting, dataDir));
  const cancel = () => child.kill();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const exited = once(child, 'exit').then(([code]) => ({ code: code as number | null }));
    const message = once(child, 'message').then(([ready]) => ready as ReadyMessage);
    const first = await Promise.race([message, exited]);
    const ready = 'foundIn' in first && first.foundIn !== null && !signal.aborted;
    if (!ready) cancel();
    const code = 'code' in first ? first.code : ready ? null : (await exited).code;
    const output = readFileSync(starting, 'utf8');
    if (ready) renameSync(starting, logFile);
    return { ready, output, logFile, code };
  } finally {
    signal.removeEventListener('abort', cancel);
    rmSync(starting, { force: true });
    if (child.connected) child.disconnect();
    child.unref();
  }
}

function openLog(file: string, dataDir: string): number {
  try {
    return openSync(file, 'w', OWNER_ONLY);
  } catch (error) {
    throw unusableDataDir(dataDir, error);
  }
}

function spawnWith(args: readonly string[], log: number): ChildProcess {
  const [, program = ''] = process.argv;
  try {
    return spawn(process.execPath, [...process.execArgv, program, 'dev', ...args], {
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
  } finally {
    closeSync(log);
  }
}
