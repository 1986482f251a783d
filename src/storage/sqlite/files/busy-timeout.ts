import type Database from 'better-sqlite3';

/**
 * How long a statement waits for another process, such as `svc doctor --repair` or a database browser. SQLite blocks the
 * thread meanwhile, which then answers no calls.
 */

/** Milliseconds that a statement waits while the database is opened, and during rare work on the whole of it. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Makes statements fail at once while another process has the lock. Transactions wait for it without blocking. */
export function failWhenBusy(db: Database.Database): void {
  db.pragma('busy_timeout = 0');
}

/** Runs statements that wait for another process. */
export function waitingWhenBusy<T>(db: Database.Database, work: () => T): T {
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  try {
    return work();
  } finally {
    failWhenBusy(db);
  }
}
