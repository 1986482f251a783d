import { exitCodes } from './exit-codes.js';
import { untilSignal } from './signals.js';

/**
 * Runs what only a signal ends, or a reader of stdout that has seen enough. Sets the exit code of the signal: 130 or 143.
 */
export async function untilStopped(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  void untilSignal(['SIGINT', 'SIGTERM']).then((signal) => {
    process.exitCode = signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
    stopping.abort();
  });
  process.stdout.once('error', () => stopping.abort());
  await run(stopping.signal);
}

/** Runs work that has an end of its own, and lets it clean up when a signal calls it off: 130 or 143, without a word. */
export async function unlessStopped(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  await untilStopped(async (signal) => {
    try {
      await run(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
}
