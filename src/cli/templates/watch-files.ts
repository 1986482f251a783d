import { watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { AsyncSignal } from '../process/async-signal.js';
import { pause } from '../process/pause.js';

/** Time to wait after a change, because editors write a file in several steps. */
const SETTLE_MS = 50;

/**
 * Yields after any of the files was changed, created or replaced, until the signal. Watches from the first call of
 * `next`. Changes during the consumer's work are reported by the next yield.
 */
export async function* watchFiles(files: readonly string[], signal: AbortSignal): AsyncGenerator<void> {
  const changed = new AsyncSignal();
  const paths = files.map((file) => resolve(file));
  // Watches the directories, because a replaced file is a new one to the system.
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
