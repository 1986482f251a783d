import type Database from 'better-sqlite3';
import { INSTANT_MAX, INSTANT_MIN } from '../../../../contract/vocabulary/instant-bounds.js';
import {
  BLOCK_BITS,
  type Counted,
  type CountedField,
  type EmailCount,
  HOUR_MS,
  hourOf,
  startOfHour,
} from '../../rows/email-counts.js';
import { json } from '../../rows/rows.js';

/**
 * Counts emails per value of a field and per block of consecutive numbers, so that neither a total nor a large offset
 * depends on the number of emails.
 */
export class EmailCountTable {
  readonly #add;
  readonly #prune;
  readonly #total;
  readonly #totalOf;
  readonly #blocksOfAll;
  readonly #blocksOf;
  readonly #byStatus;
  readonly #createdIn;
  readonly #inHours;
  readonly #blocksOfValues;
  readonly #blocksBetween;
  readonly #blocksOfHours;

  constructor(db: Database.Database) {
    this.#add = db.prepare(
      `INSERT INTO email_counts (field, value, block, count) VALUES (?, ?, ?, ?)
       ON CONFLICT (field, value, block) DO UPDATE SET count = count + excluded.count`,
    );
    this.#prune = db.prepare('DELETE FROM email_counts WHERE field = ? AND value = ? AND block = ? AND count = 0');
    const sum = 'SELECT coalesce(sum(count), 0) FROM email_counts WHERE field = ?';
    this.#total = db.prepare(sum).pluck();
    this.#totalOf = db.prepare(`${sum} AND value = ?`).pluck();
    this.#blocksOf = db
      .prepare('SELECT block, count FROM email_counts WHERE field = ? AND value = ? ORDER BY block DESC')
      .raw();
    this.#blocksOfAll = db
      .prepare('SELECT block, sum(count) FROM email_counts WHERE field = ? GROUP BY block ORDER BY block DESC')
      .raw();
    this.#createdIn = db.prepare('SELECT count(*) FROM emails WHERE created_at BETWEEN ? AND ?').pluck();
    this.#inHours = db.prepare(`${sum.replace('?', "'hour'")} AND value > ? AND value < ?`).pluck();
    this.#blocksOfValues = db
      .prepare(
        `SELECT block, sum(count) FROM email_counts WHERE field = ? AND value IN (SELECT value FROM json_each(?))
         GROUP BY block`,
      )
      .raw();
    this.#blocksBetween = db
      .prepare('SELECT block, sum(count) FROM email_counts WHERE field = ? AND value BETWEEN ? AND ? GROUP BY block')
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
      if (by < 0) this.#prune.run(change.field, change.value, block);
    }
  }

  /** Returns the number of emails created from one instant to another, both included. */
  createdIn(from = INSTANT_MIN, to = INSTANT_MAX): number {
    const [first, last] = [hourOf(from), hourOf(to)];
    if (first >= last) return this.#createdIn.get(from, to) as number;
    const atStart = this.#createdIn.get(from, startOfHour(first) + HOUR_MS - 1) as number;
    const atEnd = this.#createdIn.get(startOfHour(last), to) as number;
    return atStart + (this.#inHours.get(first, last) as number) + atEnd;
  }

  /** Returns between which numbers all emails of these instants are, both exclusive. */
  rangeOf(from: number, to: number): { after: number; before: number } {
    const [first, last] = this.#blocksOfHours.get(hourOf(from), hourOf(to)) as [number | null, number | null];
    if (first === null || last === null) return { after: 0, before: 0 };
    return { after: first * 2 ** BLOCK_BITS - 1, before: (last + 1) * 2 ** BLOCK_BITS };
  }

  /** Returns the number of emails per block whose field has one of these values; without values, of all emails. */
  perBlock(field: CountedField, values?: readonly string[]): Map<number, number> {
    const rows = values === undefined ? this.#blocksOfAll.all(field) : this.#blocksOfValues.all(field, json(values));
    return new Map(rows as [number, number][]);
  }

  /** Returns the number of emails per block whose field has a value from `first` to `last`. */
  perBlockBetween(field: CountedField, first: string, last: string): Map<number, number> {
    return new Map(this.#blocksBetween.all(field, first, last) as [number, number][]);
  }

  byStatus(): Map<string, number> {
    return new Map(this.#byStatus.all() as [string, number][]);
  }

  /** Returns the number of emails with a value, or of all. */
  total({ field, value }: Counted): number {
    return (value === undefined ? this.#total.get(field) : this.#totalOf.get(field, value)) as number;
  }

  /**
   * Returns the number of emails, and where to begin a list that skips the newest `offset` of them: `skip` emails
   * up to the number `upTo`, which is null for the newest.
   */
  place({ field, value }: Counted, offset: number): { total: number; upTo: number | null; skip: number } {
    if (offset === 0) return { total: this.total({ field, value }), upTo: null, skip: 0 };
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
