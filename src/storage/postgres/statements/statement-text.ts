import { createHash } from 'node:crypto';
import type { QueryArrayConfig } from 'pg';
import { InsertForm } from './inserts.js';

/** The text of a statement in PostgreSQL's form, and what a transaction needs to know about it. */
export class StatementText {
  /** Every word of the text, and so the names of its tables. */
  readonly words: ReadonlySet<string>;
  /** Whether the statement changes and locks nothing. */
  readonly isRead: boolean;
  /** The table that the statement changes; empty if it changes none. */
  readonly changed: string;
  /** Set for an INSERT of one row of values. */
  readonly insert: InsertForm | undefined;
  readonly #text: string;
  /** The names of parameters in their order; undefined for a statement without names. */
  readonly #parameters: readonly string[] | undefined;
  readonly #isNumbered: boolean;
  readonly #name: string | undefined;

  constructor(text: string, isPrepared: boolean) {
    const { numbered, parameters } = withNumbers(text);
    this.#text = numbered;
    this.#parameters = parameters;
    this.#isNumbered = text.includes('?');
    this.words = new Set(numbered.match(/[a-z_]+/g));
    this.isRead = /^\s*SELECT\b/.test(numbered) && !numbered.includes('FOR UPDATE');
    this.changed = /^\s*(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/.exec(numbered)?.[1] ?? '';
    if (!isPrepared) return;
    this.#name = createHash('sha1').update(numbered).digest('hex');
    if (!parameters) this.insert = InsertForm.of(text, this.#name);
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
