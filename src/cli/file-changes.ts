import { watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { Bell } from './bell.js';
import { pause } from './pause.js';

/** An editor writes a file in several steps. */
const SETTLE_MS = 50;

/**
 * Yields after any of the files was changed, made or replaced, until the signal. Watches from the first `next` on: changes
 * made while the consumer works count for the next yield.
 */
export async function* fileChanges(files: readonly string[], signal: AbortSignal): AsyncGenerator<void> {
  const bell = new Bell();
  const paths = files.map((file) => resolve(file));
  // Their directories, because a file that is replaced is another one to the system.
  const watchers = [...new Set(paths.map((path) => dirname(path)))].map((directory) => {
    const names = new Set(paths.filter((path) => dirname(path) === directory).map((path) => basename(path)));
    return watch(directory, (_, name) => {
      if (name === null || names.has(name)) bell.ring();
    });
  });
  signal.addEventListener('abort', () => bell.ring(), { once: true });
  try {
    while (!signal.aborted) {
      yield;
      await bell.wait();
      await pause(SETTLE_MS, signal);
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}
