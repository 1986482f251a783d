import { exitCodes } from '../errors/exit-codes.js';
import { finishStdout } from '../output/write-stdout.js';
import { type StopSignal, untilSignal } from './signals.js';

const codeOf: Record<StopSignal, number> = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hungUp,
};

/**
 * Runs what only a signal ends, or a reader of stdout that has seen enough. Sets the exit code of the signal, such as 130 or 143.
 * What nobody reads of the output holds the end up for a moment at the most.
 */
export async function runUntilStopped(
  run: (signal: AbortSignal) => Promise<void>,
  signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM'],
): Promise<void> {
  const stopping = new AbortController();
  void untilSignal(signals).then((signal) => {
    process.exitCode = codeOf[signal];
    stopping.abort();
  });
  process.stdout.once('error', () => stopping.abort());
  try {
    await run(stopping.signal);
  } finally {
    await finishStdout(stopping.signal);
  }
}

/** Runs work that has an end of its own, and lets it clean up when a signal calls it off: 130 or 143, without a word. */
export async function runInterruptible(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  await runUntilStopped(async (signal) => {
    try {
      await run(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
}
