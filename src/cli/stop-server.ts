import { CommandError } from './exit-codes.js';
import { pause } from './pause.js';
import { isAlive, lockHolders } from './process-identity.js';
import { processOf, type RunningServer } from './server-file.js';

/** A stop takes well under a second; a server that is still there after this has something else wrong with it. */
const STOP_TIMEOUT_MS = 10_000;
const LOOK_EVERY_MS = 25;

/**
 * Asks the server of a data directory, in another process, to end, and waits until the process is gone.
 * @throws CommandError when the process is not provably that server, may not be asked, or does not end.
 */
export async function stopServer(dataDir: string, server: RunningServer): Promise<void> {
  const { pid } = server;
  if (!(await isServerProcess(dataDir, server))) {
    throw new CommandError(
      `Process ${pid} was not stopped: it cannot be identified as the server of ${dataDir}.`,
      pid <= 1
        ? 'Process 1 is the system, or the container that the server is in: stop the container.'
        : `Look at it with "ps -p ${pid}". If it is svc, stop it with: kill ${pid}`,
    );
  }
  try {
    process.kill(pid, 'SIGTERM');
    // One that was stopped with ^Z or SIGSTOP would get the other signal only when it goes on.
    if (process.platform !== 'win32') process.kill(pid, 'SIGCONT');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return;
    throw new CommandError(`The server (pid ${pid}) cannot be stopped: ${message}`, 'Stop it as the user who runs it.');
  }
  const late = AbortSignal.timeout(STOP_TIMEOUT_MS);
  while (isAlive(pid)) {
    if (late.aborted) {
      throw new CommandError(
        `The server (pid ${pid}) is still running ${STOP_TIMEOUT_MS / 1_000} s after it was asked to stop.`,
        `End it with: kill -9 ${pid}. Nothing that it has acknowledged is lost by that.`,
      );
    }
    await pause(LOOK_EVERY_MS, late);
  }
}

/**
 * Returns whether a process is the server of a data directory: it holds the directory's lock, as far as the system says who
 * does, and has been the same process since it wrote server.json. Process 1 is never signalled: it is a container, or the system.
 */
async function isServerProcess(dataDir: string, server: RunningServer): Promise<boolean> {
  if (server.pid <= 1 || processOf(dataDir, server) === 'another') return false;
  const { isServerLocked, lockFileOf } = await import('../server-lock.js');
  if (!isServerLocked(dataDir)) return false;
  const holders = lockHolders(lockFileOf(dataDir)) ?? [];
  return holders.length === 0 || holders.includes(server.pid);
}
