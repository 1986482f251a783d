import type { QueryArrayResult } from 'pg';
import { nextTurn } from '../../common/next-turn.js';
import { Columns, positionsOf } from '../../common/rows/columns.js';
import type { RowMapping } from '../../common/rows/mapping.js';
import type { Dialect, Sql, Statement } from '../../common/sql.js';
import { StatementText } from './statement-text.js';
import { toStored } from './stored-text.js';

/** Runs statements over one connection, or over any of a pool. */
export interface Runner {
  run(statement: StatementText, values: unknown[]): Promise<QueryArrayResult>;
  /** Runs a statement whose error the transaction reports. */
  send(statement: StatementText, values: unknown[]): void;
  readonly isOpen: boolean;
}

/** The numbers that a transaction assigns. */
export interface Numbers {
  next(name: 'emails' | 'events'): number;
  last(name: 'emails' | 'events'): number;
}

const dialect: Dialect = {
  among: (column, parameter = '?') => `${column} = ANY(${parameter})`,
  indexedBy: (table) => table,
  joinInOrder: 'JOIN',
  jsonField: (column, field) => `(${column}::json ->> '${field}')`,
  matches: (column, parameter) => `${column} LIKE ${parameter}`,
  skipLocked: ' FOR UPDATE SKIP LOCKED',
};

/** Runs the statements of tables on PostgreSQL. Only a transaction has numbers. */
export class PostgresSql implements Sql {
  readonly dialect = dialect;
  readonly keepsRows = false;

  constructor(
    private readonly runner: Runner,
    private readonly numbers?: Numbers,
  ) {}

  get isOpen(): boolean {
    return this.runner.isOpen;
  }

  get inTransaction(): boolean {
    return this.numbers !== undefined;
  }

  prepare(text: string): Statement {
    return new PostgresStatement(this.runner, text);
  }

  /** Prepares a statement that PostgreSQL plans for the values of each run. */
  unprepared(text: string): Statement {
    return new PostgresStatement(this.runner, text, false);
  }

  async pause(): Promise<void> {
    if (!this.inTransaction) await nextTurn();
  }

  list(values: readonly (string | number)[]): readonly (string | number)[] {
    return values;
  }

  glob(pattern: string): string {
    return likeText(pattern).replaceAll('*', '%');
  }

  appending<R extends object>(table: 'events', mapping: RowMapping<R>): (values: unknown[]) => number {
    const insert = this.prepare(`INSERT INTO ${table} ${mapping.into(['seq'])}`);
    return (values) => {
      const seq = this.#ownNumbers.next(table);
      insert.send(...values, seq);
      return seq;
    };
  }

  nextEmail(): number {
    return this.#ownNumbers.next('emails');
  }

  async lastEmail(): Promise<number> {
    if (this.numbers) return this.numbers.last('emails');
    return (await this.prepare('SELECT emails FROM ledger').value<number>()) ?? 0;
  }

  get #ownNumbers(): Numbers {
    if (!this.numbers) throw new TypeError('not in a transaction');
    return this.numbers;
  }
}

/** Returns a text for a LIKE that matches only the text itself. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

class PostgresStatement implements Statement {
  readonly #text: StatementText;

  constructor(
    private readonly runner: Runner,
    text: string,
    isPrepared = true,
  ) {
    this.#text = new StatementText(text, isPrepared);
  }

  async all(...values: unknown[]): Promise<Columns[]> {
    const { fields, rows } = await this.#query(values);
    const positions = positionsOf(fields.map(({ name }) => name));
    return rows.map((row) => new Columns(positions, row));
  }

  async get(...values: unknown[]): Promise<Columns | undefined> {
    return (await this.all(...values))[0];
  }

  async tuples<T extends unknown[]>(...values: unknown[]): Promise<T[]> {
    // Other callers may have the same rows.
    return [...(await this.#query(values)).rows] as T[];
  }

  async tuple<T>(...values: unknown[]): Promise<T | undefined> {
    return (await this.tuples(...values))[0] as T | undefined;
  }

  async values<T>(...values: unknown[]): Promise<T[]> {
    return (await this.tuples<[T]>(...values)).map(([value]) => value);
  }

  async value<T>(...values: unknown[]): Promise<T | undefined> {
    return (await this.tuple<[T]>(...values))?.[0];
  }

  async run(...values: unknown[]): Promise<number> {
    return (await this.#query(values)).rowCount ?? 0;
  }

  send(...values: unknown[]): void {
    this.runner.send(this.#text, this.#valuesOf(values));
  }

  #query(values: unknown[]): Promise<QueryArrayResult> {
    return this.runner.run(this.#text, this.#valuesOf(values));
  }

  #valuesOf(values: unknown[]): unknown[] {
    return this.#text.inOrder(values).map(bound);
  }
}

function bound(value: unknown): unknown {
  if (typeof value === 'string') return toStored(value);
  if (Array.isArray(value)) return value.map(bound);
  return value;
}
