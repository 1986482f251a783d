import { closeSync, existsSync, lstatSync, openSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { OWNER_ONLY } from '../../../file-modes.js';
import { causeOfOpening, isBusy } from '../disk-errors.js';
import { connect } from './connect.js';

/**
 * Locks a file with SQLite's own lock on an empty database. The process holds it until it releases it or ends, even by
 * a crash.
 */

export interface FileLock {
  release(): void;
}

/** Takes the lock. Returns undefined if another holder has it. @throws Error if the file cannot be created or opened. */
export function lockFile(file: string): FileLock | undefined {
  // Do not open an existing file here: closing any descriptor releases every lock that the process has on the file.
  if (!existsSync(file)) createOwnerOnly(file);
  const db = open(file);
  try {
    // The database stays empty, so it needs no journal file.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    return { release: () => db.close() };
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw causeOfOpening(error, file);
  }
}

/** Returns whether a process holds the lock. @throws Error if the file exists and cannot be read. */
export function isFileLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  const db = connect(file, { readonly: true, timeout: 0 });
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

function open(file: string): Database.Database {
  try {
    return connect(file, { timeout: 0 });
  } catch (error) {
    throw causeOfOpening(error, file);
  }
}

/**
 * Creates an empty file that only its owner can read and write, unless it exists.
 * @throws Error for a symbolic link without a target, because SQLite would create the target.
 */
export function createOwnerOnly(file: string): void {
  try {
    // The flag `x` prevents following a symbolic link.
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || lstatSync(file).isSymbolicLink()) throw error;
  }
}
