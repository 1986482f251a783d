import { existsSync, readdirSync, watch } from 'node:fs';
import { dirname } from 'node:path';

/** Resolves when a file has been removed. */
export function fileGone(file: string): Promise<void> {
  return untilDirectory(dirname(file), () => !existsSync(file));
}

/** Resolves when something is in a directory. */
export function directoryFilled(directory: string): Promise<void> {
  return untilDirectory(directory, () => readdirSync(directory).length > 0);
}

function untilDirectory(directory: string, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(directory, look);
    look();
  });
}
