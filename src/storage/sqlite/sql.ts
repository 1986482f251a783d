import type Database from 'better-sqlite3';
import { nextTurn } from '../common/commit.js';
import { Columns, json, type Positions, positionsOf } from '../common/rows/columns.js';
import type { RowMapping } from '../common/rows/mapping.js';
import type { Dialect, Sql, Statement } from '../common/sql.js';
import { KEY_MAX } from './rows/keys.js';

const highest = (table: string, key: string, where = '') =>
  `(SELECT coalesce(max(${key}), 0) FROM ${table} WHERE ${key} < ${KEY_MAX}${where})`;

/**
 * SQL for the number of the next email. A received message takes a number before it becomes an email. The number of a
 * deleted email is not used again. Ignores rows above the range that svc reads, or every later row would be above it
 * too.
 */
const NEXT_SEQ = `1 + max(0, ${highest('sqlite_sequence', 'seq', " AND name = 'emails'")},
  ${highest('emails', 'seq')}, ${highest('received', 'email_seq')})`;

/** Runs the statements of tables on better-sqlite3, which answers at once. */
export class SqliteSql implements Sql {
  readonly dialect: Dialect = {
    among: (column, parameter = '?') => `${column} IN (SELECT value FROM json_each(${parameter}))`,
    indexedBy: (table, index) => `${table} INDEXED BY ${index}`,
    joinInOrder: 'CROSS JOIN',
    // A query that combines them takes ten times as long.
    least: (queries) => queries,
    jsonField: (column, field) => `CASE WHEN json_valid(${column}) THEN ${column} ->> '${field}' END`,
    matches: (column, parameter) => `${column} GLOB ${parameter}`,
    skipLocked: '',
  };
  readonly keepsRows = true;
  readonly list = json;
  readonly #nextEmail;

  constructor(private readonly db: Database.Database) {
    this.#nextEmail = new SqliteStatement(db, `SELECT ${NEXT_SEQ}`);
  }

  get isOpen(): boolean {
    return this.db.open;
  }

  get inTransaction(): boolean {
    return this.db.inTransaction;
  }

  prepare(text: string): Statement {
    return new SqliteStatement(this.db, text);
  }

  preparePolicy(text: string): Statement {
    return this.prepare(text);
  }

  /** Does not wait inside a transaction, which must end in the turn of the event loop in which it began. */
  async pause(): Promise<void> {
    if (!this.db.inTransaction) await nextTurn();
  }

  /** Escapes ? and [, which are special in SQLite's GLOB, with brackets. */
  glob(pattern: string): string {
    return pattern.replace(/[?[]/g, '[$&]');
  }

  appending<R extends object>(table: 'events', mapping: RowMapping<R>): (values: unknown[]) => number {
    const insert = new SqliteStatement(this.db, `INSERT INTO ${table} ${mapping.into()}`);
    return (values) => insert.insert(...values);
  }

  nextEmail(): number {
    return this.#nextEmail.value<number>() ?? 1;
  }

  lastEmail(): number {
    return this.nextEmail() - 1;
  }
}

/**
 * A statement that is prepared when it first runs: an in-process command runs few of them. Its rows are arrays, which
 * the driver creates in little more than half the time of objects.
 */
class SqliteStatement implements Statement {
  #prepared: Database.Statement | undefined;
  #positions: Positions | undefined;

  constructor(
    private readonly db: Database.Database,
    private readonly text: string,
  ) {}

  all(...values: unknown[]): Columns[] {
    const rows = this.tuples(...values);
    return rows.map((row) => new Columns(this.#columns(), row));
  }

  get(...values: unknown[]): Columns | undefined {
    const row = this.tuple<unknown[]>(...values);
    return row && new Columns(this.#columns(), row);
  }

  tuples<T extends unknown[]>(...values: unknown[]): T[] {
    return this.#statement().all(...values) as T[];
  }

  tuple<T>(...values: unknown[]): T | undefined {
    return this.#statement().get(...values) as T | undefined;
  }

  values<T>(...values: unknown[]): T[] {
    return this.tuples<[T]>(...values).map(([value]) => value);
  }

  value<T>(...values: unknown[]): T | undefined {
    return this.tuple<[T]>(...values)?.[0];
  }

  run(...values: unknown[]): number {
    return this.#statement().run(...values).changes;
  }

  send(...values: unknown[]): void {
    this.#statement().run(...values);
  }

  /** Returns the number of the inserted row. */
  insert(...values: unknown[]): number {
    return Number(this.#statement().run(...values).lastInsertRowid);
  }

  #statement(): Database.Statement {
    if (!this.#prepared) {
      const statement = this.db.prepare(this.text);
      this.#prepared = statement.reader ? statement.raw() : statement;
    }
    return this.#prepared;
  }

  #columns(): Positions {
    this.#positions ??= positionsOf(
      this.#statement()
        .columns()
        .map(({ name }) => name),
    );
    return this.#positions;
  }
}
