import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a directory and its parents, with this mode or that of the user's directories. Node's recursive mkdir never
 * returns where a file system answers ENOENT for an existing parent, as /proc does.
 */
export function makeDirectory(directory: string, mode?: number): void {
  if (existsSync(directory)) {
    // Throws when it is a file.
    readdirSync(directory);
    return;
  }
  makeDirectory(dirname(directory), mode);
  try {
    mkdirSync(directory, mode);
  } catch (error) {
    // Another process created it in between.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
