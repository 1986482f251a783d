import type Database from 'better-sqlite3';
import type { SetAside } from '../../../core/store.js';
import { memoized } from '../../common/listeners.js';
import type { Row } from '../../common/rows/columns.js';
import { json } from '../../common/rows/columns.js';
import { BLOCK_BITS } from '../../common/rows/email-counts.js';
import { recountBlock, tableNames } from '../reset.js';
import { KEY_MAX, keyText, primaryKeyOf, repairCounters, rowNumberOf, withNumbers } from './keys.js';

/** Tables whose rows follow from others. They are deleted with the rows that they refer to. */
const DERIVED_TABLES = new Set(['email_extracts', 'unindexed']);

interface Reference {
  table: string;
  from: string;
  to: string;
}

/** Moves rows that cannot be used to the table `quarantine`, together with the rows that refer to them. */
export class Quarantine {
  readonly #insert;
  readonly #keys = new Map<string, string[]>();
  readonly #references = new Map<string, Reference[]>();

  constructor(private readonly db: Database.Database) {
    this.#insert = db.prepare(
      'INSERT INTO quarantine (table_name, row_key, reason, reviewed, content) VALUES (?, ?, ?, 0, ?)',
    );
  }

  /** Moves a row, which must include its primary key. Returns the moved row; undefined if it does not exist. */
  move(table: string, row: Row, reason: string): SetAside | undefined {
    return this.#alone(() => this.#move(table, row, reason));
  }

  /**
   * Moves the rows with numbers outside 1 to `max` in every table or in one, and corrects the counters that such rows
   * raised. Searches only both ends of each table.
   */
  moveOutOfRange({ table, max = KEY_MAX }: { table?: string; max?: number } = {}): SetAside[] {
    return this.#alone(() => {
      const moved = (table === undefined ? tableNames(this.db) : [table]).flatMap((each) =>
        this.#moveOutOfRange(each, max),
      );
      repairCounters(this.db);
      return moved;
    });
  }

  /**
   * Runs reads and writes in one transaction, or as a part of the current one. It waits for other writers at its start:
   * SQLite refuses the first write at once if another process has written since the first read.
   */
  #alone<T>(run: () => T): T {
    return this.db.transaction(run).immediate();
  }

  #moveOutOfRange(table: string, max: number): SetAside[] {
    const column = table === 'quarantine' ? undefined : rowNumberOf(this.db, table);
    if (column === undefined) return [];
    const rows = this.db
      .prepare(`SELECT "${column}" FROM main."${table}" WHERE "${column}" < 1 OR "${column}" > ${max}`)
      .safeIntegers()
      .all() as Row[];
    return rows.flatMap((row) => this.#move(table, row, `${column} is not a valid number`) ?? []);
  }

  /** Reads the row's numbers as bigints, because a rounded number would identify another row or none. */
  #move(table: string, row: Row, reason: string): SetAside | undefined {
    const columns = this.#keyOf(table);
    const where = columns.map((name) => `"${name}" = ?`).join(' AND ');
    const values = columns.map((name) => row[name]);
    const whole = this.db
      .prepare(`SELECT * FROM main."${table}" WHERE ${where}`)
      .safeIntegers()
      .get(...values) as Row | undefined;
    if (!whole) return undefined;
    for (const { table: other, from, to } of this.#referencesTo(table)) {
      const keys = this.#keyOf(other).map((name) => `"${name}"`);
      const dependents = this.db
        .prepare(`SELECT ${keys} FROM main."${other}" WHERE "${from}" = ?`)
        .safeIntegers()
        .all(whole[to]);
      for (const dependent of dependents as Row[])
        this.#move(other, dependent, `belongs to a row of ${table}: ${reason}`);
    }
    const key = keyText(whole, columns);
    this.#insert.run(table, key, reason, contentOf(whole));
    this.db.prepare(`DELETE FROM main."${table}" WHERE ${where}`).run(...values);
    if (table === 'emails') recountBlock(this.db, whole.seq as bigint);
    if (table === 'tags' || table === 'bodies') recountBlock(this.db, whole.email_seq as bigint);
    if (table === 'email_counts') recountBlock(this.db, (whole.block as bigint) << BigInt(BLOCK_BITS));
    if (table === 'email_extracts') this.#queueForExtraction(whole.email_seq as bigint);
    return { table, key, reason };
  }

  /** Makes the links, codes and header fields of an email be found again. */
  #queueForExtraction(seq: bigint): void {
    this.db
      .prepare(
        `INSERT OR IGNORE INTO main.email_extracts (email_seq) SELECT seq FROM main.emails WHERE seq = ? AND seq BETWEEN 1 AND ${KEY_MAX}`,
      )
      .run(seq);
  }

  #keyOf(table: string): string[] {
    return memoized(this.#keys, table, () => primaryKeyOf(this.db, table).map(({ name }) => name));
  }

  #referencesTo(table: string): Reference[] {
    return memoized(this.#references, table, () =>
      tableNames(this.db)
        .filter((other) => !DERIVED_TABLES.has(other))
        .flatMap((other) =>
          (this.db.pragma(`main.foreign_key_list("${other}")`) as Reference[])
            .filter((reference) => reference.table === table)
            .map(({ from, to }) => ({ table: other, from, to })),
        ),
    );
  }
}

/** Returns a row as JSON: bytes in base64, and numbers that JSON readers would round as text. */
function contentOf(row: Row): string {
  const entries = Object.entries(withNumbers(row)).map(([name, value]) => {
    if (Buffer.isBuffer(value)) return [name, { base64: value.toString('base64') }];
    return [name, typeof value === 'bigint' ? String(value) : value];
  });
  return json(Object.fromEntries(entries));
}
