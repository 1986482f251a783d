import { pause } from '../../process/pause.js';
import { isInForeground } from '../foreground.js';

/** A shell tells nobody that a job which runs in the background is brought to the foreground. */
const LOOK_EVERY_MS = 300;

/**
 * Stops the job that this process belongs to, as ^Z does where the terminal looks after it. Resolves when it has been let go
 * on and may use the terminal, or with the signal. Meanwhile no key is read: the system would stop a job in the background for
 * it (`bg`), and the server of `svc dev` is to serve on. Where no shell could let it go on, nothing stops it.
 */
export async function suspendProcess(signal: AbortSignal): Promise<void> {
  process.stdin.setRawMode(false);
  // Reading ends when it is paused, but only once those that read are known to be gone: with the next tick.
  process.nextTick(() => process.stdin.pause());
  process.kill(0, 'SIGTSTP');
  while (!signal.aborted && !isInForeground()) await pause(LOOK_EVERY_MS, signal);
}
