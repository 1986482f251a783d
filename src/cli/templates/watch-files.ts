import { existsSync, type FSWatcher, watch } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { RenderedTemplate } from '../../contract/service/templates.js';
import { UsageError } from '../errors/exit-codes.js';
import { jsonFileOf } from '../flags/values/json-input.js';
import { AsyncSignal, runUntilStopped } from '../process/signals.js';
import { pause } from '../process/write-stdout.js';
import { type RenderFlags, renderDirectory, TEMPLATE_FILES } from './render.js';
import { withCompiler } from './sources/compiler.js';

/** Time to wait after a change, because editors write a file in several steps. */
const SETTLE_MS = 20;
/** Errors of a directory that may become available. */
const UNAVAILABLE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

/** Yields after any of the files was changed, created or replaced. See `watchDirectories`. */
function watchFiles(files: readonly string[], signal: AbortSignal): AsyncGenerator<void> {
  const paths = new Set(files.map((file) => resolve(file)));
  const directories = [...new Set([...paths].map((path) => dirname(path)))];
  // Watches the directories, because a replaced file is a new one to the system.
  return watchDirectories(
    () => directories,
    signal,
    (path) => paths.has(path),
  );
}

/**
 * Yields at first, and after a file in any of the directories was changed, created or removed, until the signal. The
 * directories are listed again before each yield, so that new ones are watched too. One that does not exist is watched
 * once it does. Changes during the consumer's work are reported by the next yield. The caller can notify `changed` as well, for example because there are other directories.
 */
export async function* watchDirectories(
  directories: () => readonly string[],
  signal: AbortSignal,
  isWatched: (path: string) => boolean = () => true,
  changed = new AsyncSignal(),
): AsyncGenerator<void> {
  const open = (directory: string, isOfInterest: (path: string) => boolean): FSWatcher => {
    try {
      return watch(directory, (_, name) => {
        if (name === null || isOfInterest(join(directory, name))) changed.notify();
      }).on('error', () => changed.notify());
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!UNAVAILABLE.has(code)) throw error;
      // Until it can be watched: the directory that it will be in.
      const watcher = open(dirname(directory), (path) => path === directory);
      if (code === 'ENOENT' && existsSync(directory)) changed.notify();
      return watcher;
    }
  };
  let watchers: FSWatcher[] = [];
  signal.addEventListener('abort', () => changed.notify(), { once: true });
  try {
    while (!signal.aborted) {
      // A directory that was removed and created again is another to the system.
      for (const watcher of watchers) watcher.close();
      watchers = [];
      for (const directory of directories()) watchers.push(open(directory, isWatched));
      yield;
      await changed.wait();
      await pause(SETTLE_MS, signal);
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

interface Receiver {
  show(rendered: RenderedTemplate): void;
  report(error: Error): void;
}

/** Renders a template directory, and again after each change of its files or of the variables' file, until a signal. */
export async function renderOnChange(directory: string, flags: RenderFlags, { show, report }: Receiver): Promise<void> {
  const vars = flags.vars === undefined ? undefined : jsonFileOf(flags.vars);
  if (flags.vars === '-' || flags.vars === '@-') throw new UsageError('--watch cannot read stdin more than once.');
  const files = [...TEMPLATE_FILES.map((file) => join(directory, file)), ...(vars === undefined ? [] : [vars])];
  await runUntilStopped(async (signal) => {
    await withCompiler(directory, flags, async (compiler) => {
      for await (const _ of watchFiles(files, signal)) {
        compiler.forget();
        // An error is shown; the next change is rendered again.
        await renderDirectory(directory, flags, compiler).then(show).catch(report);
      }
    });
  });
}
