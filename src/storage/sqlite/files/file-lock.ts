import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { createOwnerOnly } from './create-owner-only.js';

/** A lock that one process has until it lets go or ends, however it ends: SQLite's own, on an empty database. */

export interface FileLock {
  release(): void;
}

/** Takes the lock, or answers undefined when somebody has it. @throws Error when the file cannot be made or opened. */
export function lockFile(file: string): FileLock | undefined {
  // Not opened once it exists: closing any descriptor of a file gives up all that the process has locked in it.
  if (!existsSync(file)) createOwnerOnly(file);
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
