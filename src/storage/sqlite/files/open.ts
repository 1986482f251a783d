import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import type { MigrationStep } from '../../../core/store.js';
import { OWNER_ONLY } from '../../../file-modes.js';
import { UnusableDatabaseError } from '../../common/schema-version.js';
import { SHM_SUFFIX, WAL_SUFFIX } from '../../data-dir-files.js';
import { adviceOf, causeOfOpening, reasonOf } from '../disk-errors.js';
import { migrate, refuseForeign } from '../migrations.js';
import { deleteUnreferencedChunks } from '../reset.js';
import { restoreIndex } from '../search/repair-index.js';
import { allowCompaction } from './compact.js';
import { BUSY_TIMEOUT_MS, connect, failWhenBusy } from './connect.js';
import { createOwnerOnly } from './file-lock.js';
import { createFlusher, type Flusher } from './flusher.js';

/** Size of the header of an SQLite database. https://www.sqlite.org/fileformat2.html section 1.3 */
const HEADER_BYTES = 100;
const OTHERS = 0o077;
const NOT_SQLITE = 'it is not an SQLite database';

export type Location = { file: string } | 'memory';

/**
 * Opens svc's database. Creates or migrates it if necessary; `onMigration` is called before each migration of stored
 * emails.
 * @throws UnusableDatabaseError if the file is not svc's, or cannot be read and written.
 */
export function openDatabase(
  location: Location,
  onMigration?: (step: MigrationStep) => void,
): { db: Database.Database; disk: Flusher } {
  const name = location === 'memory' ? ':memory:' : location.file;
  let db: Database.Database | undefined;
  try {
    if (location !== 'memory') {
      // A write-ahead log exists while a process has the database open, or after one died with it open.
      const left = existsSync(name + WAL_SUFFIX);
      inspect(name);
      if (left) cleanUp(name);
      restrictToOwner(name);
    }
    db = connect(name, { timeout: BUSY_TIMEOUT_MS });
    allowCompaction(db);
    migrate(db, undefined, onMigration);
    db.pragma('journal_mode = WAL');
    // NORMAL flushes the log before each checkpoint, which keeps the file consistent. flusher.ts flushes each commit
    // outside of this thread.
    db.pragma('synchronous = NORMAL');
    // A checkpoint flushes the log and the database on this thread. Four times SQLite's default makes checkpoints four
    // times as rare.
    db.pragma('wal_autocheckpoint = 4000');
    // Keeps the undo data of savepoints in memory. A temporary file took a sixth of the time of every commit.
    db.pragma('temp_store = MEMORY');
    db.pragma('foreign_keys = ON');
    restoreIndex(db);
    db.pragma('cache_size = -32768');
    // SQLite opens a read-only file without an error and fails at the first write. Fails here instead of at the first email.
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    failWhenBusy(db);
    return { db, disk: createFlusher(db) };
  } catch (error) {
    db?.close();
    if (error instanceof UnusableDatabaseError) throw error;
    const cause = causeOfOpening(error, name);
    const reason = (cause as { code?: string }).code === 'SQLITE_NOTADB' ? NOT_SQLITE : reasonOf(cause);
    throw new UnusableDatabaseError(`Cannot use ${name}: ${reason}`, { cause }, adviceOf(cause));
  }
}

/** Restricts the file and SQLite's other files for it to their owner. SQLite creates new ones with the database's mode. */
function restrictToOwner(file: string): void {
  if (!existsSync(file)) createOwnerOnly(file);
  for (const each of [file, file + WAL_SUFFIX, file + SHM_SUFFIX]) {
    if (!existsSync(each)) continue;
    const stats = lstatSync(each);
    const { mode, uid } = stats;
    // Does not change symbolic links, or files of another user.
    if (stats.isFile() && (mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(each, OWNER_ONLY);
  }
}

/**
 * Checks a file without writing to it. If it were opened for writing, SQLite would merge another program's log into its
 * database.
 * @throws UnusableDatabaseError for a file that is not svc's.
 */
function inspect(file: string): void {
  const size = existsSync(file) ? statSync(file).size : 0;
  if (size === 0) return;
  // SQLite treats a file of one byte as empty and would overwrite it.
  if (size < HEADER_BYTES) throw new UnusableDatabaseError(`Cannot use ${file}: ${NOT_SQLITE}`);
  const db = connect(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    refuseForeign(db);
  } catch (error) {
    // A commit was interrupted. Opening the file for writing rolls it back; before that, it cannot be read.
    if ((error as { code?: string }).code !== 'SQLITE_READONLY_ROLLBACK') throw error;
  } finally {
    db.close();
  }
}

/**
 * Releases the leases of a process that died, so that its jobs can run at once, and deletes its temporary files. Every
 * running process holds a shared lock on the file. If an exclusive lock is available, no other process is running.
 */
function cleanUp(file: string): void {
  const db = connect(file, { timeout: 0 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'jobs'").get()) {
      db.exec('UPDATE jobs SET lease_until = 0 WHERE lease_until > 0');
      if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'chunks'").get()) deleteUnreferencedChunks(db);
      removeStaleTransferDirs(file);
    }
  } catch (error) {
    // Another process has the database open. Leases of processes that died expire.
    if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error;
  } finally {
    db.close();
  }
}

/**
 * Manages directories for imported and exported databases. They are next to the store's own file, because that disk
 * must have room for it.
 */

const PREFIX = 'transfer-';

/** Creates a directory that only its owner can read. The caller must remove it. */
export function makeTransferDir(location: Location): string {
  return mkdtempSync(join(location === 'memory' ? tmpdir() : dirname(location.file), PREFIX));
}

export function removeTransferDir(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Removes the directories of processes that died. Call it only while no other process has the database open. */
function removeStaleTransferDirs(file: string): void {
  const directory = dirname(file);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory() && /^transfer-[0-9A-Za-z]{6}$/.test(entry.name)) {
      removeTransferDir(join(directory, entry.name));
    }
  }
}
