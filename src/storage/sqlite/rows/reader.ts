import type Database from 'better-sqlite3';
import type { SetAside } from '../../../core/store.js';
import { BadRowError, type Columns, type Row } from '../../common/rows/columns.js';
import type { Awaitable, Parse, Rows } from '../../common/sql.js';
import { isDiskError, named } from '../disk-errors.js';
import { Quarantine } from './quarantine.js';

export interface RowHooks {
  /** Called for each row that could not be used and was moved to the table `quarantine`. */
  onSetAside?(row: SetAside): void;
  /** Called with an error that no caller waits for. */
  onInternalError?(error: unknown): void;
}

/**
 * Reads rows and skips bad ones, so that a bad row does not stop the service. Moves it to the table `quarantine`, or
 * only leaves it out of the result if that table cannot be written.
 */
export class RowReader implements Rows {
  readonly #quarantine: Quarantine | undefined;
  /** Whether the disk has rejected a move since the last one that succeeded. */
  #refused = false;

  constructor(
    private readonly db: Database.Database,
    private readonly hooks: RowHooks = {},
  ) {
    this.#quarantine = db.readonly ? undefined : new Quarantine(db);
  }

  /** Returns the records of a query's rows, which must hold the table's primary key. */
  async all<T>(table: string, query: () => Awaitable<Columns[]>, parse: Parse<T>): Promise<T[]> {
    for (;;) {
      let moved = false;
      const records: T[] = [];
      for (const columns of await query()) {
        try {
          records.push(parse(columns));
        } catch (error) {
          moved = this.setAside(table, columns.toRow(), reasonOf(error)) || moved;
        }
      }
      // Reads again, because the moved rows leave the page incomplete.
      if (!moved) return records;
    }
  }

  async one<T>(table: string, query: () => Awaitable<Columns | undefined>, parse: Parse<T>): Promise<T | undefined> {
    return (await this.all(table, async () => listOf(await query()), parse))[0];
  }

  /** Moves a bad row to the table `quarantine`. Returns whether it succeeded. */
  setAside(table: string, row: Row, reason: string): boolean {
    return this.#report((quarantine) => {
      // Numbers outside the valid range were rounded when they were read, so they may not identify their row.
      const moved = quarantine.moveOutOfRange({ table });
      return moved.length > 0 ? moved : [quarantine.move(table, row, reason) ?? []].flat();
    });
  }

  /** Moves the rows of all tables whose numbers are outside the range that svc reads. */
  setOutOfRangeAside(): void {
    this.#report((quarantine) => quarantine.moveOutOfRange());
  }

  /**
   * Runs a move and reports the moved rows.
   * @throws Error if SQLite rolled back the caller's transaction, so that the caller does not continue outside of it.
   */
  #report(move: (quarantine: Quarantine) => SetAside[]): boolean {
    if (!this.#quarantine) return false;
    const { inTransaction } = this.db;
    let moved: SetAside[];
    try {
      moved = move(this.#quarantine);
    } catch (error) {
      if (inTransaction && !this.db.inTransaction) throw error;
      this.#reportRefusal(error);
      return false;
    }
    for (const row of moved) this.#reportSetAside(row);
    if (moved.length > 0) this.#refused = false;
    return moved.length > 0;
  }

  /**
   * Reports a full disk, or a long write of another process, only once: until it ends, every read of the row fails in
   * the same way.
   */
  #reportRefusal(error: unknown): void {
    const isOfDisk = isDiskError(error);
    if (!isOfDisk || !this.#refused) this.hooks.onInternalError?.(named(error));
    this.#refused ||= isOfDisk;
  }

  #reportSetAside(row: SetAside): void {
    try {
      this.hooks.onSetAside?.(row);
    } catch (error) {
      this.hooks.onInternalError?.(error);
    }
  }
}

function listOf<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** Returns what is wrong with a row. @throws `error` when it is not about the row. */
export function reasonOf(error: unknown): string {
  if (error instanceof BadRowError) return error.message;
  throw error;
}
