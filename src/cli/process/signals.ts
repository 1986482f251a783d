import { constants } from 'node:os';

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

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

/** Returns the exit code of a process that a signal ended: 128 plus the signal’s number, as in a shell. */
export function signalExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
