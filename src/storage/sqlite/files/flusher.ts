import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs';
import type Database from 'better-sqlite3';

/** Brings what has been committed to the disk. */
export interface Flusher {
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Flushes the write-ahead log as `synchronous = FULL` would after each commit, only not on this thread, which serves its
 * callers meanwhile. Another descriptor of the log will do: a flush is of the file, and SQLite holds no lock on the log that
 * closing one could lose. The connection has begun a transaction by then, which makes the log.
 * @throws Error with a `code` when the log cannot be opened.
 */
export function createFlusher(db: Database.Database): Flusher {
  if (db.memory) return { flush: async () => {}, close: async () => {} };
  // Beside the file that a link leads to; there until the last connection closes.
  const log = openSync(`${realpathSync(db.name)}-wal`, 'r+');
  let doubtful = false;
  return {
    async flush() {
      // The system may have dropped what it could not write, and what follows in the log rests on it: the database file has
      // to take it all over first.
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
