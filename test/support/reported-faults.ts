import { afterEach } from 'vitest';

/** Prints the internal errors of apps with the test that failed meanwhile: its own message may only be a status of 500. */

/** The errors since the last test. */
const reported: unknown[] = [];

/** Keeps an internal error of an app for the test that runs. */
export function reportFault(error: unknown): void {
  reported.push(error);
}

afterEach(({ task }) => {
  const faults = reported.splice(0);
  if (task.result?.state !== 'fail') return;
  for (const fault of faults) console.error('Internal error during this test:', fault);
});
