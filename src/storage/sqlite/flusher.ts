import { closeSync, fdatasync, openSync } from 'node:fs';
import type Database from 'better-sqlite3';

/** Brings what has been committed to the disk. */
export interface Flusher {
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Flushes the write-ahead log as `synchronous = FULL` would after each commit, only not on this thread, which serves its
 * callers meanwhile. Another descriptor of the log will do: a flush is of the file, and SQLite holds no lock on the log that
 * closing one could lose.
 * @throws Error with a `code` when the log cannot be opened.
 */
export function flusherOf(db: Database.Database): Flusher {
  if (db.memory) return { flush: async () => {}, close: async () => {} };
  // Made by the first transaction of a connection, and there until the last connection closes.
  db.exec('BEGIN IMMEDIATE; ROLLBACK');
  const log = openSync(`${db.name}-wal`, 'r+');
  let doubtful = false;
  return {
    async flush() {
      // The system may have dropped what it could not write, and what follows in the log rests on it: the database file has
      // to take it all over first.
      if (doubtful) db.pragma('wal_checkpoint(TRUNCATE)');
      doubtful = true;
      await new Promise<void>((resolve, reject) => fdatasync(log, (error) => (error ? reject(error) : resolve())));
      doubtful = false;
    },
    close: async () => closeSync(log),
  };
}
