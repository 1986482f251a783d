import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits a number of milliseconds of the machine's time, or until the signal; never throws. It is for waiting on another
 * process.
 */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, signal && { signal }).catch(() => {});
}
