import { join } from 'node:path';
import { LOCK_FILE } from './data-dir-files.js';
import { type FileLock, isFileLocked, lockFile } from './sqlite/files/file-lock.js';

/**
 * Ensures that a data directory has at most one server, with a lock. Commands that only use the database do not take
 * the lock.
 */

/** Takes the lock for this process. Returns undefined if another process has it. */
export function takeServerLock(dataDir: string): FileLock | undefined {
  return lockFile(lockFileOf(dataDir));
}

/** Returns whether a running process is the server of a data directory, even if it does not respond. */
export function isServerLocked(dataDir: string): boolean {
  return isFileLocked(lockFileOf(dataDir));
}

/** Returns the path of the lock file of a data directory. */
export function lockFileOf(dataDir: string): string {
  return join(dataDir, LOCK_FILE);
}
