import { closeSync, existsSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';

/** A lock that one process has until it lets go or ends, however it ends: SQLite's own, on an empty database. */

export interface FileLock {
  release(): void;
}

/** That there is a lock tells something about its owner, and is for nobody else on this machine. */
const OWNER_ONLY = 0o600;

/** Takes the lock, or answers undefined when somebody has it. @throws Error when the file cannot be made or opened. */
export function lockFile(file: string): FileLock | undefined {
  // Not opened once it is there: closing any descriptor of a file gives up all that the process has locked in it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  const db = new Database(file, { timeout: 0 });
  try {
    // Nothing is ever written, so no journal needs room on the disk.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    return { release: () => db.close() };
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Whether somebody has the lock. @throws Error when the file is there and cannot be read. */
export function isFileLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  const db = new Database(file, { readonly: true, timeout: 0 });
  try {
    db.prepare('SELECT 1 FROM sqlite_master').get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    db.close();
  }
}

function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code === 'SQLITE_BUSY';
}
