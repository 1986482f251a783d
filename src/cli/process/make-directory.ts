import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a directory and its parents, with this mode or the default one. Node's recursive mkdir never returns on file
 * systems that report ENOENT for an existing parent, such as /proc.
 */
export function makeDirectory(directory: string, mode?: number): void {
  if (existsSync(directory)) {
    // Throws when the path is a file.
    readdirSync(directory);
    return;
  }
  makeDirectory(dirname(directory), mode);
  try {
    mkdirSync(directory, mode);
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Returns the path itself if it exists, or the nearest directory above it that does. */
export function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
