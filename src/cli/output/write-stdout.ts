import { pause } from '../process/pause.js';

/** How long a reader that takes nothing is waited for, once a signal has asked for the end. */
const FINISH_TIMEOUT_MS = 400;

/** Writes to stdout, no faster than its reader takes it. A reader that has gone is waited for no longer. */
export async function writeStdout(data: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(data)) await flushed();
}

/**
 * Waits, between two lines of a stream, until stdout's reader has taken what was written; once the signal has come, for a moment
 * at the most. False when it has not: nothing more is to be written then, and `main` drops the rest.
 */
export async function stdoutDrained(signal: AbortSignal): Promise<boolean> {
  if (process.stdout.writableEnded) return false;
  return !process.stdout.writableNeedDrain || flushedOrDropped(signal);
}

/** Waits for the reader of what was written last, as `stdoutDrained` does. For the end of what a signal ends. */
export async function finishStdout(signal: AbortSignal): Promise<void> {
  if (process.stdout.writableLength > 0 && !process.stdout.writableEnded) await flushedOrDropped(signal);
}

async function flushedOrDropped(signal: AbortSignal): Promise<boolean> {
  const settled = new AbortController();
  const asked = signal.aborted ? Promise.resolve() : aborted(signal, settled.signal);
  const late = asked.then(() => pause(FINISH_TIMEOUT_MS, settled.signal)).then(() => false);
  const inTime = await Promise.race([flushed().then(() => true), late]);
  settled.abort();
  if (!inTime) process.stdout.end();
  return inTime;
}

/** Resolves when all has been written, or cannot be: the callback of an empty piece comes after those before it. */
function flushed(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write('', () => resolve());
  });
}

function aborted(signal: AbortSignal, settled: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: settled });
  });
}
