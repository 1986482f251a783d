import { join } from 'node:path';
import { type FileLock, isFileLocked, lockFile } from './storage/sqlite/file-lock.js';

/** Which process is the server of a data directory: the one that has its lock. What works on its database alone has none. */

const LOCK_FILE = 'server.lock';

/** Becomes the server of a data directory, or answers undefined when there is one. */
export function takeServerLock(dataDir: string): FileLock | undefined {
  return lockFile(join(dataDir, LOCK_FILE));
}

/** Whether a process is alive that is the server of a data directory, whether or not it answers. */
export function isServerLocked(dataDir: string): boolean {
  return isFileLocked(join(dataDir, LOCK_FILE));
}
