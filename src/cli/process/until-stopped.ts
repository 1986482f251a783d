import { exitCodes } from '../errors/exit-codes.js';
import { finishStdout } from '../output/write-stdout.js';
import { type StopSignal, untilSignal } from './signals.js';

const codeOf: Record<StopSignal, number> = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hungUp,
};

/**
 * Runs work that only a signal ends, or a reader that closes stdout. Sets the exit code of the signal, such as 130 or
 * 143. Output without a reader delays the end only briefly.
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

/** Runs work that ends by itself, and waits for its cleanup when a signal cancels it: 130 or 143, without a message. */
export async function runInterruptible(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  await runUntilStopped(async (signal) => {
    try {
      await run(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
}
