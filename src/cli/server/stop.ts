import { hasSignals } from '../../system.js';
import { isLocked, processOf, type RunningServer } from '../data-dir/server-file.js';
import { CommandError } from '../errors/exit-codes.js';
import { isAlive, lockHolders } from '../process/process-identity.js';
import { pause } from '../process/write-stdout.js';
import { healthOf } from '../target/running-server.js';

/** Maximum time to wait for the end. It takes well under a second, and longer on a busy machine or a slow disk. */
const STOP_TIMEOUT_MS = 60_000;
/** Time after which the user is informed of what takes so long. */
const NOTICE_MS = 2_000;
const LOOK_EVERY_MS = 25;
const ANSWER_TIMEOUT_MS = 2_000;

/**
 * Asks the server process of a data directory to end, and waits until it is gone. `onWait` is called once, with a
 * reason, when that takes long.
 * @throws CommandError when the process cannot be verified to be that server, may not be signalled, or does not end.
 */
export async function stopServer(
  dataDir: string,
  server: RunningServer,
  onWait: (reason: string) => void = () => {},
): Promise<void> {
  const { pid } = server;
  if (!(await isServerProcess(dataDir, server))) {
    throw new CommandError(
      `Process ${pid} was not stopped: it cannot be identified as the server of ${dataDir}.`,
      pid <= 1
        ? 'Process 1 is the system or the container of the server. Stop the container.'
        : `Inspect it with "ps -p ${pid}". If it is svc, stop it with: kill ${pid}`,
    );
  }
  try {
    process.kill(pid, 'SIGTERM');
    // A process that was stopped with ^Z or SIGSTOP handles the other signal only after SIGCONT.
    if (hasSignals()) process.kill(pid, 'SIGCONT');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return;
    throw new CommandError(`The server (pid ${pid}) cannot be stopped: ${message}`, 'Stop it as the user who runs it.');
  }
  const late = AbortSignal.timeout(STOP_TIMEOUT_MS);
  const slow = AbortSignal.timeout(NOTICE_MS);
  let isReported = false;
  while (isAlive(pid)) {
    if (slow.aborted && !isReported) {
      isReported = true;
      onWait(`Waiting for the server (pid ${pid}): it finishes requests, messages and jobs that are under way.`);
    }
    if (late.aborted) {
      throw new CommandError(
        `The server (pid ${pid}) is still running ${STOP_TIMEOUT_MS / 1_000} s after SIGTERM.`,
        `Its output may have the reason. Wait until it ends, or as a last resort end it with: kill -9 ${pid}. Acknowledged email is not lost.`,
      );
    }
    await pause(LOOK_EVERY_MS, late);
  }
}

/**
 * Returns whether a process is verified to be the server of a data directory. The directory's lock must be held: by
 * this process, where the system lists the holders. Elsewhere, the process must be the one that wrote server.json, or
 * the server must respond.
 * Process 1 is never signalled: it is a container's main process, or init.
 */
async function isServerProcess(dataDir: string, server: RunningServer): Promise<boolean> {
  if (server.pid <= 1 || !(await isLocked(dataDir))) return false;
  const { lockFileOf } = await import('../../storage/server-lock.js');
  const holders = lockHolders(lockFileOf(dataDir)) ?? [];
  if (holders.length > 0) return holders.includes(server.pid);
  // Checked again, because the process id may be reused during the wait for the response.
  const identity = processOf(dataDir, server);
  return identity === 'server' || (identity === 'unknown' && (await healthOf(server, ANSWER_TIMEOUT_MS)) !== undefined);
}
