import { isAlive, type RunningServer } from './data-dir.js';
import { CommandError } from './exit-codes.js';
import { pause } from './pause.js';

/** A stop takes well under a second; a server that is still there after this has something else wrong with it. */
const STOP_TIMEOUT_MS = 10_000;
const LOOK_EVERY_MS = 25;

/**
 * Asks a server that runs in another process to end, and waits until the process is gone.
 * @throws CommandError when it may not be asked, or does not end.
 */
export async function stopServer({ pid }: RunningServer): Promise<void> {
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
