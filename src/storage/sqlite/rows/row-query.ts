import type Database from 'better-sqlite3';
import { Columns, type Positions, positionsOf } from './columns.js';

/**
 * A SELECT that is prepared when it first runs: an in-process command runs few of them. Its rows are arrays, which the
 * driver creates in little more than half the time of objects.
 */
export class RowQuery {
  #prepared: { statement: Database.Statement; positions: Positions } | undefined;

  constructor(
    private readonly db: Database.Database,
    private readonly sql: string,
  ) {}

  all(...values: unknown[]): Columns[] {
    const { statement, positions } = this.#prepare();
    const rows = statement.all(...values) as unknown[][];
    return rows.map((row) => new Columns(positions, row));
  }

  get(...values: unknown[]): Columns | undefined {
    const { statement, positions } = this.#prepare();
    const row = statement.get(...values) as unknown[] | undefined;
    return row && new Columns(positions, row);
  }

  #prepare(): { statement: Database.Statement; positions: Positions } {
    if (!this.#prepared) {
      const statement = this.db.prepare(this.sql).raw();
      this.#prepared = { statement, positions: positionsOf(statement.columns().map(({ name }) => name)) };
    }
    return this.#prepared;
  }
}
