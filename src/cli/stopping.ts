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
