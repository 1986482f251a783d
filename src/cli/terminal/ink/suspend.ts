import { pause } from '../../process/pause.js';
import { isInForeground } from '../foreground.js';

/** Interval of checks, because no signal reports that a background job is brought to the foreground. */
const LOOK_EVERY_MS = 300;

/**
 * Stops the job that this process belongs to, as ^Z does. Resolves when the job continues in the foreground, or with
 * the signal.
 * No key is read until then: if the job continues in the background (`bg`), reading would stop it, and the server of
 * `svc dev` must keep running. Without a shell that could continue the job, the system does not stop it.
 */
export async function suspendProcess(signal: AbortSignal): Promise<void> {
  // Reading is paused in the next tick, because the view's listeners are removed only then.
  process.nextTick(() => process.stdin.pause());
  process.kill(0, 'SIGTSTP');
  while (!signal.aborted && !isInForeground()) await pause(LOOK_EVERY_MS, signal);
}
