import { type StopSignal, signalExitCode } from '../errors/exit-codes.js';
import { finishStdout } from './write-stdout.js';

/** Resolves with the first of these signals. A second signal ends the process at once, as by default. */
export function untilSignal<Signal extends StopSignal = 'SIGINT' | 'SIGTERM'>(
  signals: readonly Signal[] = ['SIGINT', 'SIGTERM'] as unknown as Signal[],
): Promise<Signal> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      for (const each of signals) process.removeListener(each, stop);
      resolve(signal as Signal);
    };
    for (const each of signals) process.on(each, stop);
  });
}

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

/** An auto-reset event: several notifications between two waits count as one. */
export class AsyncSignal {
  #signalled = false;
  #resolve = () => {};

  notify(): void {
    this.#signalled = true;
    this.#resolve();
  }

  /** Resolves at the next notification, at once when there was one since the last wait. */
  async wait(): Promise<void> {
    if (!this.#signalled) {
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
    }
    this.#signalled = false;
  }
}
