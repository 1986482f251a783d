import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { WAL_SUFFIX } from '../../data-dir-files.js';
import { waitingWhenBusy } from './connect.js';

/** Flushes committed transactions to disk. */
export interface Flusher {
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Flushes the write-ahead log after a commit like `synchronous = FULL`, but outside of this thread, which handles other
 * calls meanwhile. It uses its own file descriptor. That is safe: a flush applies to the file, and SQLite holds no lock
 * on the log that closing the descriptor could release. The log exists, because the connection has begun a transaction
 * before.
 * @throws Error with a `code` if the log cannot be opened.
 */
export function createFlusher(db: Database.Database): Flusher {
  if (db.memory) return { flush: async () => {}, close: async () => {} };
  // If the database is a symbolic link, the log is next to its target. It exists until the last connection closes.
  const log = openSync(realpathSync(db.name) + WAL_SUFFIX, 'r+');
  let doubtful = false;
  return {
    async flush() {
      // After a failed flush, the system may have dropped pages of the log that later pages depend on. Copies the whole
      // log to the database file first.
      if (doubtful) {
        const checkpoint = () => db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
        const [{ busy } = { busy: 1 }] = waitingWhenBusy(db, checkpoint);
        if (busy) throw new Error('another process is reading what could not be flushed');
      }
      doubtful = true;
      await new Promise<void>((resolve, reject) => fdatasync(log, (error) => (error ? reject(error) : resolve())));
      doubtful = false;
    },
    close: async () => closeSync(log),
  };
}
