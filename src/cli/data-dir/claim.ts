import { svcCommand } from '../command/svc-command.js';
import { CommandError } from '../errors/exit-codes.js';
import { pause } from '../process/pause.js';
import { createDataDir, removeServerFiles, unusableDataDir, writeRunningServer } from './data-dir.js';
import { type RunningServer, readRunningServer } from './server-file.js';

/** The right to be the only server of a data directory. */
export interface Claim {
  /** Writes where the server is. @throws CommandError when that cannot be written. */
  announce(server: RunningServer): void;
  /** Hides the server from other commands; it keeps the data directory. */
  withdraw(): void;
  /** Leaves the data directory to the next server. */
  release(): void;
}

/** The maximum of checks while a starting server writes its address, or an ending one exits. */
const SETTLING_ATTEMPTS = 400;
const SETTLING_PAUSE_MS = 50;

/**
 * Claims a data directory. @throws CommandError when another server has the data directory, or it cannot be written.
 */
export async function claimDataDir(dataDir: string): Promise<Claim> {
  for (let attempt = 1; ; attempt++) {
    const claim = await claimIfFree(dataDir);
    if (claim) return claim;
    const running = runningThere(dataDir);
    if (running || attempt === SETTLING_ATTEMPTS) throw alreadyRunning(dataDir, running);
    await pause(SETTLING_PAUSE_MS);
  }
}

/** Claims a data directory. Undefined when another server has it. @throws CommandError when it cannot be written. */
export async function claimIfFree(dataDir: string): Promise<Claim | undefined> {
  createDataDir(dataDir);
  const { takeServerLock } = await import('../../storage/server-lock.js');
  let lock: ReturnType<typeof takeServerLock>;
  try {
    lock = takeServerLock(dataDir);
    // A server that was killed left it, and its process id may be another program's by now.
    if (lock) removeServerFiles(dataDir);
  } catch (error) {
    throw unusableDataDir(dataDir, error);
  }
  if (!lock) return undefined;
  return {
    announce: (server) => writeRunningServer(dataDir, server),
    withdraw: () => removeServerFiles(dataDir),
    release: () => lock.release(),
  };
}

/** Returns the running server. An unreadable server.json does not matter here: the server has the lock. */
function runningThere(dataDir: string): RunningServer | undefined {
  try {
    return readRunningServer(dataDir)?.server;
  } catch {
    return undefined;
  }
}

function alreadyRunning(dataDir: string, running: RunningServer | undefined): CommandError {
  const where = running ? `: ${running.base_url} (pid ${running.pid})` : ', and is still starting';
  return new CommandError(
    `A server is already running on this data directory${where}.`,
    `Use it, stop it with "${svcCommand('dev stop', dataDir)}", or choose another data directory with --data-dir.`,
  );
}
