import { createHash } from 'node:crypto';
import type { QueryArrayConfig, QueryArrayResult } from 'pg';
import { nextTurn } from '../shared/next-turn.js';
import { Columns, positionsOf } from '../shared/rows/columns.js';
import type { RowMapping } from '../shared/rows/mapping.js';
import type { Dialect, Sql, Statement } from '../shared/sql.js';
import { toStored } from './stored-text.js';

/** Runs statements over one connection, or over any of a pool. */
export interface Runner {
  run(query: QueryArrayConfig): Promise<QueryArrayResult>;
  /** Runs a statement whose error the transaction reports. */
  send(query: QueryArrayConfig): void;
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
  readonly #text: string;
  readonly #name: string | undefined;
  /** The names of parameters in their order; undefined for a statement without names. */
  readonly #parameters: readonly string[] | undefined;

  constructor(
    private readonly runner: Runner,
    text: string,
    isPrepared = true,
  ) {
    const { numbered, parameters } = withNumbers(text);
    this.#text = numbered;
    this.#parameters = parameters;
    if (isPrepared) this.#name = createHash('sha1').update(numbered).digest('hex');
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
    return (await this.#query(values)).rows as T[];
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
    this.runner.send(this.#configOf(values));
  }

  #query(values: unknown[]): Promise<QueryArrayResult> {
    return this.runner.run(this.#configOf(values));
  }

  #configOf(values: unknown[]): QueryArrayConfig {
    const named = isNamed(values) ? values[0] : undefined;
    const inOrder = named ? (this.#parameters ?? []).map((name) => named[name]) : values;
    const config = { text: this.#text, values: inOrder.map(bound), rowMode: 'array' as const };
    return this.#name === undefined ? config : { ...config, name: this.#name };
  }
}

/** Returns whether values are one object for parameters with names. */
function isNamed(values: unknown[]): values is [Record<string, unknown>] {
  return values.length === 1 && Object.getPrototypeOf(values[0] ?? 0) === Object.prototype;
}

/** Returns a statement with `$1` in place of `?` and of `@name`. */
function withNumbers(text: string): { numbered: string; parameters?: string[] } {
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
  return parameters.length > 0 ? { numbered, parameters } : { numbered };
}

function bound(value: unknown): unknown {
  if (typeof value === 'string') return toStored(value);
  if (Array.isArray(value)) return value.map(bound);
  return value;
}
