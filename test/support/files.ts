import { existsSync, readdirSync, watch } from 'node:fs';
import { dirname } from 'node:path';

/** Resolves when a file has been removed. */
export function fileGone(file: string): Promise<void> {
  return untilDirectory(dirname(file), () => !existsSync(file));
}

/** Resolves when a directory contains something. */
export function directoryFilled(directory: string): Promise<void> {
  return untilDirectory(directory, () => readdirSync(directory).length > 0);
}

/** Maximum wait for a change that never happens, shorter than the time limit of a test. */
const LIMIT_MS = 45_000;

function untilDirectory(directory: string, holds: () => boolean): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!holds()) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(directory, { signal: limit }, look);
    limit.addEventListener('abort', () => reject(new Error(`${directory} did not change as expected.`)));
    look();
  });
}
