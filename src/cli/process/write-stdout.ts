import { setTimeout as wait } from 'node:timers/promises';

/** Time to wait for a reader that reads nothing, after a signal. */
const FINISH_TIMEOUT_MS = 400;

/** Writes to stdout, no faster than its reader reads it. Returns when the reader has closed the pipe. */
export async function writeStdout(data: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(data)) await flushed();
}

/**
 * Waits until the reader of stdout has read what was written; after the signal, only for a short time. Call it between
 * two lines of a stream.
 * Returns false when the output was not read in time: write nothing more then, because `main` drops the rest.
 */
export async function stdoutDrained(signal: AbortSignal): Promise<boolean> {
  if (process.stdout.writableEnded) return false;
  return !process.stdout.writableNeedDrain || flushedOrDropped(signal);
}

/** Waits for the reader as `stdoutDrained` does, after the last output of a command that a signal stops. */
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

/**
 * Resolves when everything has been written, or failed: the callback of an empty write is called after those before it.
 */
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

/**
 * Waits a number of milliseconds of the machine's time, or until the signal; never throws. It is for waiting on another
 * process.
 */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, signal && { signal }).catch(() => {});
}
