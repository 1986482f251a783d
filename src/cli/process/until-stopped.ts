import { finishStdout } from '../output/write-stdout.js';
import { type StopSignal, signalExitCode, untilSignal } from './signals.js';

/**
 * Runs work until a signal, until stdout is closed, or until `run` calls `stop`. Sets the signal’s exit code, such as
 * 130 or 143. A reader that reads nothing delays the end only briefly.
 */
export async function runUntilStopped(
  run: (signal: AbortSignal, stop: () => void) => Promise<void>,
  signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM'],
): Promise<void> {
  const stopping = new AbortController();
  void untilSignal(signals).then((signal) => {
    process.exitCode = signalExitCode(signal);
    stopping.abort();
  });
  process.stdout.once('error', () => stopping.abort());
  try {
    await run(stopping.signal, () => stopping.abort());
  } finally {
    await finishStdout(stopping.signal);
  }
}

/**
 * Runs work that ends by itself. When a signal cancels it, waits for its cleanup and exits with 130 or 143, without a
 * message.
 */
export async function runInterruptible(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  await runUntilStopped(async (signal) => {
    try {
      await run(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
}
