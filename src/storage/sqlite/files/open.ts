import { chmodSync, existsSync, lstatSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { migrate, refuseForeign, UnusableDatabaseError } from '../migrations.js';
import { deleteUnreferencedChunks } from '../tables/contents.js';
import { createOwnerOnly, OWNER_ONLY } from './create-owner-only.js';
import { createFlusher, type Flusher } from './flusher.js';
import { removeStaleTransferDirs } from './transfer-dir.js';

/** How long a statement waits for another process that is committing. */
const BUSY_TIMEOUT_MS = 5_000;
/** Every SQLite database begins with this much. https://www.sqlite.org/fileformat2.html section 1.3 */
const HEADER_BYTES = 100;
const OTHERS = 0o077;
const NOT_SQLITE = 'it is not an SQLite database';

export type Location = { file: string } | 'memory';

/**
 * Opens svc's database, made or brought up to date where need be.
 * @throws UnusableDatabaseError when the file is not svc's, or cannot be read and written.
 */
export function openDatabase(location: Location): { db: Database.Database; disk: Flusher } {
  const name = location === 'memory' ? ':memory:' : location.file;
  let db: Database.Database | undefined;
  try {
    if (location !== 'memory') {
      // A write-ahead log is there while somebody has the database open, or when the last who had it died.
      const left = existsSync(`${name}-wal`);
      inspect(name);
      if (left) cleanUp(name);
      restrictToOwner(name);
    }
    db = new Database(name, { timeout: BUSY_TIMEOUT_MS });
    migrate(db);
    db.pragma('journal_mode = WAL');
    // NORMAL: the log is flushed before a checkpoint, as consistency asks for. Commits are flushed off this thread (flusher.ts).
    db.pragma('synchronous = NORMAL');
    // Each checkpoint flushes the log and the database on this thread; four times the default makes them a quarter as many.
    db.pragma('wal_autocheckpoint = 4000');
    // What a savepoint could have to undo is kept in memory: in a temporary file it cost a sixth of every commit.
    db.pragma('temp_store = MEMORY');
    db.pragma('foreign_keys = ON');
    db.pragma('cache_size = -32768');
    // SQLite opens a file that it may only read, and says so at the first write: better here than at the first mail.
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return { db, disk: createFlusher(db) };
  } catch (error) {
    db?.close();
    if (error instanceof UnusableDatabaseError) throw error;
    const reason = (error as { code?: string }).code === 'SQLITE_NOTADB' ? NOT_SQLITE : (error as Error).message;
    throw new UnusableDatabaseError(`Cannot use ${name}: ${reason}`, { cause: error });
  }
}

/** The file is its owner's alone, and with it what SQLite makes beside it: its log takes the mode of the database. */
function restrictToOwner(file: string): void {
  if (!existsSync(file)) createOwnerOnly(file);
  for (const each of [file, `${file}-wal`, `${file}-shm`]) {
    if (!existsSync(each)) continue;
    const stats = lstatSync(each);
    const { mode, uid } = stats;
    // Of another's file the mode is that other's affair, and of what a link leads to as well.
    if (stats.isFile() && (mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(each, OWNER_ONLY);
  }
}

/** Looks at a file without writing to it: opened to be written, another program's log would be folded into its database. */
function inspect(file: string): void {
  const size = existsSync(file) ? statSync(file).size : 0;
  if (size === 0) return;
  // SQLite takes a file of one byte for an empty one, and would write over it.
  if (size < HEADER_BYTES) throw new UnusableDatabaseError(`Cannot use ${file}: ${NOT_SQLITE}`);
  const db = new Database(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    refuseForeign(db);
  } catch (error) {
    // A commit was cut off: nobody can read the file before it has been undone, which opening it for writing does.
    if ((error as { code?: string }).code !== 'SQLITE_READONLY_ROLLBACK') throw error;
  } finally {
    db.close();
  }
}

/**
 * Gives up the leases of a process that died, so that its jobs need not wait for them to run out, and removes what else it
 * left. Every process holds a
 * shared lock on the file as long as it lives; where an exclusive one is to be had, nobody is left who could hold a lease.
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
    // Somebody is alive; if it is not the holder of a lease, the lease runs out.
    if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error;
  } finally {
    db.close();
  }
}
