import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { WAL_SUFFIX } from '../../data-dir-files.js';

/** Flushes committed transactions to disk. */
export interface Flusher {
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Flushes the write-ahead log after a commit, as `synchronous = FULL` does, but off this thread, which serves callers
 * meanwhile. It uses its own descriptor of the log: a flush concerns the file, and SQLite holds no lock on the log that closing
 * the descriptor could release. The log exists, because the connection has begun a transaction before.
 * @throws Error with a `code` when the log cannot be opened.
 */
export function createFlusher(db: Database.Database): Flusher {
  if (db.memory) return { flush: async () => {}, close: async () => {} };
  // Next to the target of a link; exists until the last connection closes.
  const log = openSync(realpathSync(db.name) + WAL_SUFFIX, 'r+');
  let doubtful = false;
  return {
    async flush() {
      // After a failed flush the system may have dropped pages of the log that later ones depend on. Copy the whole log to
      // the database file first.
      if (doubtful) {
        const [{ busy } = { busy: 1 }] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
        if (busy) throw new Error('another process is reading what could not be flushed');
      }
      doubtful = true;
      await new Promise<void>((resolve, reject) => fdatasync(log, (error) => (error ? reject(error) : resolve())));
      doubtful = false;
    },
    close: async () => closeSync(log),
  };
}
