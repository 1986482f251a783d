import type Database from 'better-sqlite3';
import type { SetAside } from '../../core/store.js';
import { BadRowError, Columns } from './columns.js';
import { Quarantine } from './quarantine.js';
import type { Row } from './rows.js';

/** Makes a record of a row. @throws BadRowError when the row holds what svc never writes. */
export type Parse<T> = (columns: Columns) => T;

/**
 * Reads rows so that a bad one stops nothing: it is left out of the result and moved to the table `quarantine`, where it is
 * not met again. Where that table cannot be written, the row is left out alone.
 */
export class RowReader {
  readonly #quarantine: Quarantine | undefined;

  constructor(
    db: Database.Database,
    private readonly onSetAside: (row: SetAside) => void = () => {},
  ) {
    this.#quarantine = db.readonly ? undefined : new Quarantine(db);
  }

  /** The records of a query's rows. The rows need to hold the table's primary key. */
  all<T>(table: string, query: () => unknown[], parse: Parse<T>): T[] {
    for (;;) {
      let moved = false;
      const records: T[] = [];
      for (const row of query() as Row[]) {
        try {
          records.push(parse(new Columns(row)));
        } catch (error) {
          moved = this.setAside(table, row, reasonOf(error)) || moved;
        }
      }
      // Read again, because a page has room for as many more.
      if (!moved) return records;
    }
  }

  one<T>(table: string, query: () => unknown, parse: Parse<T>): T | undefined {
    return this.all(table, () => [query() ?? []].flat(), parse)[0];
  }

  /** Moves a bad row out of its table. Answers whether it did. */
  setAside(table: string, row: Row, reason: string): boolean {
    return this.#report((quarantine) => {
      // The number of such a row was rounded when it was read, and may not find it.
      const moved = quarantine.moveOutOfRange({ table });
      return moved.length > 0 ? moved : [quarantine.move(table, row, reason) ?? []].flat();
    });
  }

  /** Moves the rows of all tables that are numbered outside the range that svc reads. */
  setOutOfRangeAside(): void {
    this.#report((quarantine) => quarantine.moveOutOfRange());
  }

  #report(move: (quarantine: Quarantine) => SetAside[]): boolean {
    try {
      const moved = this.#quarantine ? move(this.#quarantine) : [];
      for (const row of moved) this.onSetAside(row);
      return moved.length > 0;
    } catch {
      // The disk is full, or another process is writing: the row is met again later.
      return false;
    }
  }
}

/** What is wrong with a row. @throws `error` when it is not about the row. */
export function reasonOf(error: unknown): string {
  if (error instanceof BadRowError) return error.message;
  throw error;
}
