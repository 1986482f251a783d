import { watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { AsyncSignal } from '../process/async-signal.js';
import { pause } from '../process/pause.js';

/** An editor writes a file in several steps. */
const SETTLE_MS = 50;

/**
 * Yields after any of the files was changed, created or replaced, until the signal. Watches from the first `next` on:
 * changes made while the consumer works count for the next yield.
 */
export async function* watchFiles(files: readonly string[], signal: AbortSignal): AsyncGenerator<void> {
  const changed = new AsyncSignal();
  const paths = files.map((file) => resolve(file));
  // Watches their directories, because a replaced file is another one to the system.
  const watchers = [...new Set(paths.map((path) => dirname(path)))].map((directory) => {
    const names = new Set(paths.filter((path) => dirname(path) === directory).map((path) => basename(path)));
    return watch(directory, (_, name) => {
      if (name === null || names.has(name)) changed.notify();
    });
  });
  signal.addEventListener('abort', () => changed.notify(), { once: true });
  try {
    while (!signal.aborted) {
      yield;
      await changed.wait();
      await pause(SETTLE_MS, signal);
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}
