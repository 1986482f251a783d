import { join } from 'node:path';
import { LOCK_FILE } from './data-dir-files.js';
import { type FileLock, isFileLocked, lockFile } from './sqlite/files/file-lock.js';

/** Which process is the server of a data directory: the one that has its lock. What works on its database alone has none. */

/** Becomes the server of a data directory, or answers undefined when there is one. */
export function takeServerLock(dataDir: string): FileLock | undefined {
  return lockFile(lockFileOf(dataDir));
}

/** Whether a process is alive that is the server of a data directory, whether or not it answers. */
export function isServerLocked(dataDir: string): boolean {
  return isFileLocked(lockFileOf(dataDir));
}

/** Returns the file whose lock makes a process the server of a data directory. */
export function lockFileOf(dataDir: string): string {
  return join(dataDir, LOCK_FILE);
}
