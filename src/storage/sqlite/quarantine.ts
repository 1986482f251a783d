import type Database from 'better-sqlite3';
import type { SetAside } from '../../core/store.js';
import { json, type Row } from './rows.js';

interface Reference {
  table: string;
  from: string;
  to: string;
}

/** Moves rows that cannot be used out of their tables, together with the rows that refer to them. */
export class Quarantine {
  readonly #insert;
  readonly #keys = new Map<string, string[]>();
  readonly #references = new Map<string, Reference[]>();

  constructor(private readonly db: Database.Database) {
    this.#insert = db.prepare(
      'INSERT INTO quarantine (table_name, row_key, reason, reviewed, content) VALUES (?, ?, ?, 0, ?)',
    );
  }

  /** Moves a row, which needs to hold its primary key. Answers the key; undefined when the row does not exist. */
  move(table: string, row: Row, reason: string): SetAside | undefined {
    return this.db.transaction(() => this.#move(table, row, reason))();
  }

  #move(table: string, row: Row, reason: string): SetAside | undefined {
    const columns = this.#keyOf(table);
    const where = columns.map((name) => `"${name}" = ?`).join(' AND ');
    const values = columns.map((name) => row[name]);
    const whole = this.db.prepare(`SELECT * FROM main."${table}" WHERE ${where}`).get(...values) as Row | undefined;
    if (!whole) return undefined;
    for (const { table: other, from, to } of this.#referencesTo(table)) {
      const keys = this.#keyOf(other).map((name) => `"${name}"`);
      const dependents = this.db.prepare(`SELECT ${keys} FROM main."${other}" WHERE "${from}" = ?`).all(whole[to]);
      for (const dependent of dependents as Row[])
        this.#move(other, dependent, `belongs to a row of ${table}: ${reason}`);
    }
    const key = columns.map((name) => String(row[name])).join('/');
    this.#insert.run(table, key, reason, contentOf(whole));
    this.db.prepare(`DELETE FROM main."${table}" WHERE ${where}`).run(...values);
    return { table, key, reason };
  }

  #keyOf(table: string): string[] {
    return memoized(this.#keys, table, () =>
      (this.db.pragma(`main.table_info("${table}")`) as { name: string; pk: number }[])
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map(({ name }) => name),
    );
  }

  #referencesTo(table: string): Reference[] {
    return memoized(this.#references, table, () => {
      const others = this.db
        .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table'")
        .pluck()
        .all() as string[];
      return others.flatMap((other) =>
        (this.db.pragma(`main.foreign_key_list("${other}")`) as Reference[])
          .filter((reference) => reference.table === table)
          .map(({ from, to }) => ({ table: other, from, to })),
      );
    });
  }
}

/** A row as JSON. Bytes are written in base64. */
function contentOf(row: Row): string {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value,
  ]);
  return json(Object.fromEntries(entries));
}

function memoized<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
