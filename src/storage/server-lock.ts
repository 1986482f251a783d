import { join } from 'node:path';
import { LOCK_FILE } from './data-dir-files.js';
import { type FileLock, isFileLocked, lockFile } from './sqlite/files/file-lock.js';

/** The lock that makes a process the server of a data directory. Commands that only use the database take no lock. */

/** Makes this process the server of a data directory. Returns undefined when another process is. */
export function takeServerLock(dataDir: string): FileLock | undefined {
  return lockFile(lockFileOf(dataDir));
}

/** Returns whether a running process is the server of a data directory, even if it does not respond. */
export function isServerLocked(dataDir: string): boolean {
  return isFileLocked(lockFileOf(dataDir));
}

/** Returns the file whose lock makes a process the server of a data directory. */
export function lockFileOf(dataDir: string): string {
  return join(dataDir, LOCK_FILE);
}
