import { CommandError } from '../errors/exit-codes.js';
import { pause } from '../process/write-stdout.js';
import {
  createDataDir,
  refuseForeignFiles,
  removeServerFiles,
  unusableDataDir,
  writeRunningServer,
} from './data-dir.js';
import { type RunningServer, readRunningServer } from './server-file.js';
import { svcCommand } from './svc-command.js';

/** The exclusive right to run the server of a data directory. */
export interface Claim {
  /** Writes the server's address. @throws CommandError when it cannot be written. */
  announce(server: RunningServer): void;
  /** Hides the server from other commands, but keeps the data directory locked. */
  withdraw(): void;
  /** Releases the data directory for the next server. */
  release(): void;
}

/** Maximum number of checks while a starting server writes its address, or an ending server exits. */
const SETTLING_ATTEMPTS = 400;
const SETTLING_PAUSE_MS = 50;

/** Claims a data directory. @throws CommandError when another server has it, or it cannot be written. */
export async function claimDataDir(dataDir: string): Promise<Claim> {
  for (let attempt = 1; ; attempt++) {
    const claim = await claimIfFree(dataDir);
    if (claim) return claim;
    const running = runningServerOf(dataDir);
    if (running || attempt === SETTLING_ATTEMPTS) throw alreadyRunning(dataDir, running);
    await pause(SETTLING_PAUSE_MS);
  }
}

/** Claims a data directory; undefined when another server has it. @throws CommandError when it cannot be written. */
export async function claimIfFree(dataDir: string): Promise<Claim | undefined> {
  refuseForeignFiles(dataDir);
  createDataDir(dataDir);
  const { takeServerLock } = await import('../../storage/server-lock.js');
  let lock: ReturnType<typeof takeServerLock>;
  try {
    lock = takeServerLock(dataDir);
    // A killed server left its files, and its process id may belong to another program by now.
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

/**
 * Returns the running server. An unreadable server.json is ignored, because the lock proves that a server is running.
 */
function runningServerOf(dataDir: string): RunningServer | undefined {
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
