import type Database from 'better-sqlite3';
import { type StoreSize, UnsupportedStoreError } from '../../../core/store.js';

/** Returns unused pages of a database to the file system. Pages that deleted rows leave are otherwise used again. */

/** Number of pages that one transaction returns, which takes a few milliseconds. */
const PAGES_PER_STEP = 200;
/** The value of `auto_vacuum` with which single pages can be returned. https://www.sqlite.org/pragma.html */
const INCREMENTAL = 2;

/**
 * Makes a new database one whose unused pages can be returned. An existing one changes with its next full rewrite.
 * Setting the value that it has would write to it, and flush the disk twice.
 */
export function allowCompaction(db: Database.Database): void {
  if (db.pragma('auto_vacuum', { simple: true }) === INCREMENTAL) return;
  db.pragma(`auto_vacuum = ${INCREMENTAL}`);
}

export function sizeOf(db: Database.Database): StoreSize {
  const value = (name: string) => db.pragma(name, { simple: true }) as number;
  const page = value('page_size');
  return { bytes: value('page_count') * page, free: value('freelist_count') * page };
}

/**
 * Returns unused pages in short transactions: about `maxBytes`, or all. `inTransaction` runs each one.
 * @throws UnsupportedStoreError if an earlier version created the database.
 */
export async function returnPages(
  db: Database.Database,
  maxBytes: number,
  inTransaction: (step: () => void) => Promise<void>,
): Promise<void> {
  if (db.pragma('auto_vacuum', { simple: true }) !== INCREMENTAL) {
    if (sizeOf(db).free === 0) return;
    throw new UnsupportedStoreError(
      'An earlier version of svc created this database, so only all of it can be rewritten.',
    );
  }
  const until = sizeOf(db).free - maxBytes;
  for (let { free } = sizeOf(db); free > Math.max(0, until); { free } = sizeOf(db)) {
    await inTransaction(() => db.pragma(`incremental_vacuum(${PAGES_PER_STEP})`));
    if (sizeOf(db).free >= free) return;
  }
}

/** Rewrites the whole database. SQLite keeps the old one until the new one is complete. */
export function rewrite(db: Database.Database): void {
  // The rewritten copy would not fit into memory.
  db.pragma('temp_store = FILE');
  try {
    allowCompaction(db);
    db.exec('VACUUM');
  } finally {
    db.pragma('temp_store = MEMORY');
  }
}

/** Moves the log into the database file, which then has its new size. While another process reads, that happens later. */
export function truncateFiles(db: Database.Database): void {
  db.pragma('wal_checkpoint(TRUNCATE)');
}
