import { createHash } from 'node:crypto';
import type { QueryArrayConfig, QueryArrayResult } from 'pg';
import { nextTurn } from '../../common/commit.js';
import { Columns, positionsOf } from '../../common/rows/columns.js';
import type { RowMapping } from '../../common/rows/mapping.js';
import type { Dialect, Sql, Statement } from '../../common/sql.js';
import { InsertForm, toStored } from './inserts.js';

/** The text of a statement in PostgreSQL's form, and what a transaction needs to know about it. */
export class StatementText {
  /** Every word of the text, and so the names of its tables. */
  readonly words: ReadonlySet<string>;
  /** Whether the statement changes and locks nothing. */
  readonly isRead: boolean;
  /** The table that the statement changes; empty if it changes none. */
  readonly changed: string;
  /** The table of a query of policies; empty for any other statement. */
  readonly policy: string;
  /** Set for an INSERT of one row of values. */
  readonly insert: InsertForm | undefined;
  readonly #text: string;
  /** The names of parameters in their order; undefined for a statement without names. */
  readonly #parameters: readonly string[] | undefined;
  readonly #isNumbered: boolean;
  readonly #name: string | undefined;

  constructor(text: string, isPrepared: boolean, isOfPolicies = false) {
    const { numbered, parameters } = withNumbers(text);
    this.#text = numbered;
    this.#parameters = parameters;
    this.#isNumbered = text.includes('?');
    this.words = new Set(numbered.match(/[a-z_]+/g));
    this.isRead = /^\s*SELECT\b/.test(numbered) && !numbered.includes('FOR UPDATE');
    this.changed = /^\s*(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/.exec(numbered)?.[1] ?? '';
    this.policy = isOfPolicies ? (/ FROM (\w+)/.exec(numbered)?.[1] ?? '') : '';
    if (!isPrepared) return;
    this.#name = createHash('sha1').update(numbered).digest('hex');
    if (!parameters) this.insert = InsertForm.of(text, this.#name);
  }

  /** Identifies a prepared statement. */
  get id(): string {
    return this.#name ?? this.#text;
  }

  /** Returns values in the order of the parameters. The only value of a statement without `?` is an object with names. */
  inOrder(values: unknown[]): unknown[] {
    if (this.#isNumbered) return values;
    const [named] = values as [Record<string, unknown>];
    return (this.#parameters ?? []).map((name) => named[name]);
  }

  query(values: unknown[]): QueryArrayConfig {
    const config = { text: this.#text, values, rowMode: 'array' as const };
    return this.#name === undefined ? config : { ...config, name: this.#name };
  }
}

/** Returns a statement with `$1` in place of `?` and of `@name`. */
function withNumbers(text: string): { numbered: string; parameters: readonly string[] | undefined } {
  const parameters: string[] = [];
  let count = 0;
  const numbered = text.replace(/\?|@([a-z]+)/gi, (_, name?: string) => {
    if (name === undefined) {
      count += 1;
      return `$${count}`;
    }
    if (!parameters.includes(name)) parameters.push(name);
    return `$${parameters.indexOf(name) + 1}`;
  });
  return { numbered, parameters: parameters.length > 0 ? parameters : undefined };
}

/** Runs statements over one connection, or over any of a pool. */
export interface Runner {
  run(statement: StatementText, values: unknown[]): Promise<QueryArrayResult>;
  /** Runs a statement whose error the transaction reports. */
  send(statement: StatementText, values: unknown[]): void;
  readonly isOpen: boolean;
}

/** The numbers that a transaction assigns. They are provisional until it is locked. */
export interface Numbers {
  next(name: 'emails' | 'events'): number;
  last(name: 'emails' | 'events'): Promise<number>;
}

const dialect: Dialect = {
  among: (column, parameter = '?') => `${column} = ANY(${parameter})`,
  indexedBy: (table) => table,
  joinInOrder: 'JOIN',
  // Separate queries would run at the same time, and each opens a connection if none is idle.
  least: (queries) => [`SELECT least(${queries.map((query) => `(${query})`)})`],
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

  preparePolicy(text: string): Statement {
    return new PostgresStatement(this.runner, text, true, true);
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
    isOfPolicies = false,
  ) {
    this.#text = new StatementText(text, isPrepared, isOfPolicies);
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
