import type Database from 'better-sqlite3';
import type { Savepoints } from '../common/commit.js';
import { isBusy } from './disk-errors.js';

/** Together about 5 seconds. */
const LOCK_ATTEMPTS = 200;
const LOCK_PAUSE_MS = 25;

/** Begins and ends transactions, with one level of savepoints. */
export class Transactions implements Savepoints {
  readonly #begin;
  readonly #commit;
  readonly #rollback;
  readonly #savepoint;
  readonly #release;
  readonly #undo;

  constructor(private readonly db: Database.Database) {
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
    this.#savepoint = db.prepare('SAVEPOINT work');
    this.#release = db.prepare('RELEASE work');
    this.#undo = db.prepare('ROLLBACK TO work');
  }

  /**
   * Begins a transaction in the turn in which it resolves. Waits for another process that has the lock, so that reads
   * are answered meanwhile.
   * @throws Error with SQLite's code, for example if the other process keeps the lock.
   */
  async begin(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#begin.run();
        return;
      } catch (error) {
        if (!isBusy(error) || attempt === LOCK_ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, LOCK_PAUSE_MS));
      }
    }
  }

  commit(): void {
    this.#commit.run();
  }

  /** Rolls back, unless SQLite has already done so. */
  rollback(): void {
    if (this.db.inTransaction) this.#rollback.run();
  }

  /** Runs work in a savepoint, and undoes it if it throws. Returns its value or its error. */
  async attempt<T>(work: () => Promise<T>): Promise<{ value: T } | { error: unknown }> {
    this.#savepoint.run();
    try {
      const value = await work();
      this.#release.run();
      return { value };
    } catch (error) {
      // SQLite itself rolls back the whole transaction on some errors, such as a full disk.
      if (!this.db.inTransaction) throw error;
      this.#undo.run();
      this.#release.run();
      return { error };
    }
  }
}
