import { existsSync, watch } from 'node:fs';
import { dirname } from 'node:path';

/** Resolves when a file has been removed. */
export function fileGone(file: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (existsSync(file)) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(dirname(file), look);
    look();
  });
}
