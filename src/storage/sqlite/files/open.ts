import { chmodSync, existsSync, lstatSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { SHM_SUFFIX, WAL_SUFFIX } from '../../data-dir-files.js';
import { migrate, refuseForeign, UnusableDatabaseError } from '../migrations.js';
import { deleteUnreferencedChunks } from '../tables/contents.js';
import { createOwnerOnly, OWNER_ONLY } from './create-owner-only.js';
import { createFlusher, type Flusher } from './flusher.js';
import { removeStaleTransferDirs } from './transfer-dir.js';

/** How long a statement waits for another process that is committing. */
const BUSY_TIMEOUT_MS = 5_000;
/** Size of the header of an SQLite database. https://www.sqlite.org/fileformat2.html section 1.3 */
const HEADER_BYTES = 100;
const OTHERS = 0o077;
const NOT_SQLITE = 'it is not an SQLite database';

export type Location = { file: string } | 'memory';

/**
 * Opens svc's database. Creates it, or migrates it to the current schema, if necessary.
 * @throws UnusableDatabaseError when the file is not svc's, or cannot be read and written.
 */
export function openDatabase(location: Location): { db: Database.Database; disk: Flusher } {
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
    db = new Database(name, { timeout: BUSY_TIMEOUT_MS });
    migrate(db);
    db.pragma('journal_mode = WAL');
    // NORMAL flushes the log before a checkpoint, which keeps the file consistent. flusher.ts flushes each commit, off this thread.
    db.pragma('synchronous = NORMAL');
    // Each checkpoint flushes the log and the database on this thread. Four times the default makes it four times as rare.
    db.pragma('wal_autocheckpoint = 4000');
    // Keeps what a savepoint may have to undo in memory. In a temporary file it took a sixth of every commit.
    db.pragma('temp_store = MEMORY');
    db.pragma('foreign_keys = ON');
    db.pragma('cache_size = -32768');
    // SQLite opens a read-only file without an error and fails at the first write. Fail here, not at the first email.
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return { db, disk: createFlusher(db) };
  } catch (error) {
    db?.close();
    if (error instanceof UnusableDatabaseError) throw error;
    const reason = (error as { code?: string }).code === 'SQLITE_NOTADB' ? NOT_SQLITE : (error as Error).message;
    throw new UnusableDatabaseError(`Cannot use ${name}: ${reason}`, { cause: error });
  }
}

/** Makes the file, and the files that SQLite keeps with it, accessible to their owner only. New ones take the database's mode. */
function restrictToOwner(file: string): void {
  if (!existsSync(file)) createOwnerOnly(file);
  for (const each of [file, file + WAL_SUFFIX, file + SHM_SUFFIX]) {
    if (!existsSync(each)) continue;
    const stats = lstatSync(each);
    const { mode, uid } = stats;
    // Leave another user's file, and the target of a link, as it is.
    if (stats.isFile() && (mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(each, OWNER_ONLY);
  }
}

/**
 * Checks a file without writing to it. Opened for writing, SQLite would merge another program's log into its database.
 * @throws UnusableDatabaseError for a file that is not svc's.
 */
function inspect(file: string): void {
  const size = existsSync(file) ? statSync(file).size : 0;
  if (size === 0) return;
  // SQLite treats a file of one byte as empty and would overwrite it.
  if (size < HEADER_BYTES) throw new UnusableDatabaseError(`Cannot use ${file}: ${NOT_SQLITE}`);
  const db = new Database(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    refuseForeign(db);
  } catch (error) {
    // A commit was interrupted. The file is unreadable until it is rolled back, which opening it for writing does.
    if ((error as { code?: string }).code !== 'SQLITE_READONLY_ROLLBACK') throw error;
  } finally {
    db.close();
  }
}

/**
 * Releases the leases of a process that died, so that its jobs can run at once, and removes its temporary files. Every process
 * holds a shared lock on the file while it runs; if an exclusive lock is available, no process holds a lease.
 */
function cleanUp(file: string): void {
  const db = new Database(file, { timeout: 0 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'jobs'").get()) {
      db.exec('UPDATE jobs SET lease_until = 0 WHERE lease_until > 0');
      if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'chunks'").get()) deleteUnreferencedChunks(db);
      removeStaleTransferDirs(file);
    }
  } catch (error) {
    // Another process has the database open. The leases of one that died run out.
    if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error;
  } finally {
    db.close();
  }
}
