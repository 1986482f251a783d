import type { CurrentChanges } from './changes.js';
import type { Columns, Row } from './rows/columns.js';
import type { RowMapping } from './rows/mapping.js';

/** Defines what the tables need of a database engine. */

/** A value of an engine that answers at once, or a promise of one that answers over a connection. */
export type Awaitable<T> = T | Promise<T>;

/**
 * A prepared statement. Values are bound to `?` in order, or one object to `@name`; a statement has only one of these
 * forms.
 */
export interface Statement {
  all(...values: unknown[]): Awaitable<Columns[]>;
  get(...values: unknown[]): Awaitable<Columns | undefined>;
  /** Returns rows as arrays. */
  tuples<T extends unknown[]>(...values: unknown[]): Awaitable<T[]>;
  tuple<T>(...values: unknown[]): Awaitable<T | undefined>;
  /** Returns the first column of every row. */
  values<T>(...values: unknown[]): Awaitable<T[]>;
  value<T>(...values: unknown[]): Awaitable<T | undefined>;
  /** Runs an INSERT, UPDATE or DELETE. Returns the number of rows. */
  run(...values: unknown[]): Awaitable<number>;
  /** Runs a statement without waiting for its result. The transaction fails if it does. */
  send(...values: unknown[]): void;
}

/** The parts of SQL that differ between engines. */
export interface Dialect {
  /** Whether a column has one of the values of `list`, which are bound to a parameter. */
  among(column: string, parameter?: string): string;
  /** Names an index that the engine must use, if it needs that. */
  indexedBy(table: string, index: string): string;
  /** Joins two tables of which the first must be read first. */
  readonly joinInOrder: string;
  /** A field of a JSON object in a column, as text; NULL if the column is not JSON. */
  jsonField(column: string, field: string): string;
  /** Whether a column matches a pattern of `glob`, which is bound to a parameter. */
  matches(column: string, parameter: string): string;
  /** Ends a query for rows that no other transaction may take. */
  readonly skipLocked: string;
  /** Returns one query for the least value of all queries, or the queries themselves where the engine runs them faster. */
  least(queries: readonly string[]): readonly string[];
}

/** A database as the tables use it. */
export interface Sql {
  readonly dialect: Dialect;
  readonly isOpen: boolean;
  readonly inTransaction: boolean;
  /** Whether rows can be kept in memory: a commit of this process reads those of other processes again. */
  readonly keepsRows: boolean;
  prepare(text: string): Statement;
  /**
   * Prepares a query of one of the tables that decide what happens to an email and seldom change. An engine may keep its
   * answers, and counts changes of these tables.
   */
  preparePolicy(text: string): Statement;
  /** Lets other work run between the parts of a long read, unless a transaction is open. */
  pause(): Awaitable<void>;
  /** Returns a list of values to bind. */
  list(values: readonly (string | number)[]): unknown;
  /** Returns a pattern to bind. In it, `*` matches any text and every other character itself. */
  glob(pattern: string): string;
  /** Returns a function that appends a row to a table and returns its number, which is one higher than the last. */
  appending<R extends object>(table: 'events', mapping: RowMapping<R>): (values: unknown[]) => number;
  /** Returns the number of the next email or received message. The number of a deleted one is not used again. */
  nextEmail(): number;
  lastEmail(): Awaitable<number>;
}

/** Converts a row to a record. @throws BadRowError if the row contains a value that svc never writes. */
export type Parse<T> = (columns: Columns) => T;

/** Reads rows and skips bad ones, so that a bad row does not stop the service. */
export interface Rows {
  /** Returns the records of a query's rows, which must hold the table's primary key. */
  all<T>(table: string, query: () => Awaitable<Columns[]>, parse: Parse<T>): Promise<T[]>;
  one<T>(table: string, query: () => Awaitable<Columns | undefined>, parse: Parse<T>): Promise<T | undefined>;
  /** Moves a bad row to the table `quarantine`. Returns whether it succeeded. */
  setAside(table: string, row: Row, reason: string): Awaitable<boolean>;
}

/** A part of the tables. A subclass declares each of its statements as a field. */
export abstract class Statements {
  constructor(protected readonly sql: Sql) {}

  /** Whether a column has one of the values of a list, which is bound to a parameter. */
  protected among(column: string, parameter?: string): string {
    return this.sql.dialect.among(column, parameter);
  }
}

/** The statements of a table, whose records it reads with `rows`. */
export abstract class Table extends Statements {
  constructor(
    sql: Sql,
    protected readonly rows: Rows,
  ) {
    super(sql);
  }
}

/** The statements of a table whose changes a commit announces to its listeners. */
export abstract class ObservedTable extends Table {
  constructor(
    sql: Sql,
    rows: Rows,
    protected readonly changes: CurrentChanges,
  ) {
    super(sql, rows);
  }
}
