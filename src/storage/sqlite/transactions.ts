import type Database from 'better-sqlite3';

/** Begins and ends transactions, with one level of savepoints. */
export class Transactions {
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

  begin(): void {
    this.#begin.run();
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
