import type Database from 'better-sqlite3';
import type { Columns } from '../../rows/columns.js';

/** A change of the number of emails whose field has a value. */
export interface EmailCount {
  field: 'status' | 'sender' | 'tag' | 'hour';
  value: string;
  seq: number;
  /** 1 for one more, -1 for one fewer. */
  by: number;
}

/** The bits of a number within its block. */
const BLOCK_BITS = 10;
const HOUR_MS = 3_600_000;

/** Returns the hour of an instant as it is counted. Later hours sort after earlier ones. */
export function hourOf(instant: number): string {
  return String(Math.max(0, Math.floor(instant / HOUR_MS))).padStart(8, '0');
}

/** SQL that counts the emails of all blocks, or of those in a condition, from their rows. */
const countsOf = (where = (_column: string) => '') => `
  INSERT INTO email_counts
  SELECT 'status', status, seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq')} GROUP BY status, seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'sender', sender_mailbox, seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq')}
    GROUP BY sender_mailbox, seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'tag', tag, email_seq >> ${BLOCK_BITS}, count(*) FROM tags ${where('email_seq')}
    GROUP BY tag, email_seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'hour', printf('%08d', created_at / ${HOUR_MS}), seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq')}
    GROUP BY created_at / ${HOUR_MS}, seq >> ${BLOCK_BITS}`;

/** Emails with a value of a field; all emails without one. */
export interface Counted {
  field: EmailCount['field'];
  value?: string;
}

/**
 * Counts emails per value of a field and per block of consecutive numbers, so that neither a total nor a large offset
 * depends on the number of emails.
 */
export class EmailCountTable {
  readonly #add;
  readonly #blocksOfAll;
  readonly #blocksOf;
  readonly #byStatus;
  readonly #blocksOfHours;

  constructor(db: Database.Database) {
    this.#add = db.prepare(
      `INSERT INTO email_counts (field, value, block, count) VALUES (?, ?, ?, ?)
       ON CONFLICT (field, value, block) DO UPDATE SET count = count + excluded.count`,
    );
    this.#blocksOf = db
      .prepare('SELECT block, count FROM email_counts WHERE field = ? AND value = ? ORDER BY block DESC')
      .raw();
    this.#blocksOfAll = db
      .prepare('SELECT block, sum(count) FROM email_counts WHERE field = ? GROUP BY block ORDER BY block DESC')
      .raw();
    this.#blocksOfHours = db
      .prepare(
        "SELECT min(block), max(block) FROM email_counts WHERE field = 'hour' AND value BETWEEN ? AND ? AND count > 0",
      )
      .raw();
    this.#byStatus = db
      .prepare("SELECT value, sum(count) FROM email_counts WHERE field = 'status' GROUP BY value HAVING sum(count) > 0")
      .raw();
  }

  /** Adds the changes of a commit, with one write per value and block. */
  add(changes: readonly EmailCount[]): void {
    const sums = new Map<string, { change: EmailCount; block: number; by: number }>();
    for (const change of changes) {
      const block = Math.floor(change.seq / 2 ** BLOCK_BITS);
      const key = `${change.field} ${block} ${change.value}`;
      const sum = sums.get(key);
      if (sum) sum.by += change.by;
      else sums.set(key, { change, block, by: change.by });
    }
    for (const { change, block, by } of sums.values()) {
      if (by !== 0) this.#add.run(change.field, change.value, block, by);
    }
  }

  /** Returns between which numbers all emails of these instants are, both exclusive. */
  rangeOf(from: number, to: number): { after: number; before: number } {
    const [first, last] = this.#blocksOfHours.get(hourOf(from), hourOf(to)) as [number | null, number | null];
    if (first === null || last === null) return { after: 0, before: 0 };
    return { after: first * 2 ** BLOCK_BITS - 1, before: (last + 1) * 2 ** BLOCK_BITS };
  }

  byStatus(): Map<string, number> {
    return new Map(this.#byStatus.all() as [string, number][]);
  }

  /**
   * Returns the number of emails, and where to begin a list that skips the newest `offset` of them: `skip` emails
   * up to the number `upTo`, which is null for the newest.
   */
  place({ field, value }: Counted, offset: number): { total: number; upTo: number | null; skip: number } {
    const query = value === undefined ? this.#blocksOfAll.all(field) : this.#blocksOf.all(field, value);
    let total = 0;
    let found: { upTo: number | null; skip: number } | undefined;
    for (const [block, count] of query as [number, number][]) {
      if (!found && offset < total + count) {
        found = { upTo: total === 0 ? null : (block + 1) * 2 ** BLOCK_BITS - 1, skip: offset - total };
      }
      total += count;
    }
    return { total, ...(found ?? { upTo: offset === 0 ? null : 0, skip: 0 }) };
  }
}

/** Counts all emails again. */
export function recountEmails(db: Database.Database): void {
  db.exec(`DELETE FROM main.email_counts; ${countsOf()}`);
}

/** Counts the emails again that are in the same block as one of them. */
export function recountBlock(db: Database.Database, seq: number | bigint): void {
  const block = BigInt(seq) >> BigInt(BLOCK_BITS);
  const [first, last] = [block << BigInt(BLOCK_BITS), ((block + 1n) << BigInt(BLOCK_BITS)) - 1n];
  db.exec(`DELETE FROM main.email_counts WHERE block = ${block};
    ${countsOf((column) => `WHERE ${column} BETWEEN ${first} AND ${last}`)}`);
}

/** Checks a row of `email_counts`. */
export function readEmailCount(row: Columns): void {
  for (const name of ['field', 'value']) row.text(name);
  row.integer('block');
  row.integer('count', 0);
}
