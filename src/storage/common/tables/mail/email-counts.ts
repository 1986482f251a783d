import { INSTANT_MAX, INSTANT_MIN } from '../../../../contract/vocabulary/instants.js';
import {
  BLOCK_BITS,
  type Counted,
  type CountedField,
  type EmailCount,
  HOUR_MS,
  hourOf,
  startOfHour,
} from '../../rows/email-counts.js';
import { Statements } from '../../sql.js';

const SUM = 'SELECT coalesce(sum(count), 0) FROM email_counts WHERE field = ?';
const BY_VALUE = 'SELECT value, sum(count) FROM email_counts WHERE field = ? GROUP BY value HAVING sum(count) > 0';

/**
 * Counts emails per value of a field and per block of consecutive numbers, so that neither a total nor a large offset
 * depends on the number of emails.
 */
export class EmailCountTable extends Statements {
  readonly #add = this.sql.prepare(
    `INSERT INTO email_counts (field, value, block, count) VALUES (?, ?, ?, ?)
       ON CONFLICT (field, value, block) DO UPDATE SET count = email_counts.count + excluded.count`,
  );
  readonly #prune = this.sql.prepare(
    'DELETE FROM email_counts WHERE field = ? AND value = ? AND block = ? AND count = 0',
  );
  readonly #total = this.sql.prepare(SUM);
  readonly #totalOf = this.sql.prepare(`${SUM} AND value = ?`);
  readonly #blocksOfAll = this.sql.prepare(
    'SELECT block, sum(count) FROM email_counts WHERE field = ? GROUP BY block ORDER BY block DESC',
  );
  readonly #blocksOf = this.sql.prepare(
    'SELECT block, count FROM email_counts WHERE field = ? AND value = ? ORDER BY block DESC',
  );
  readonly #byValue = this.sql.prepare(BY_VALUE);
  readonly #mostFrequent = this.sql.prepare(`${BY_VALUE} ORDER BY sum(count) DESC, value LIMIT ?`);
  readonly #createdIn = this.sql.prepare('SELECT count(*) FROM emails WHERE created_at BETWEEN ? AND ?');
  readonly #inHours = this.sql.prepare(`${SUM.replace('?', "'hour'")} AND value > ? AND value < ?`);
  readonly #blocksOfValues = this.sql.prepare(
    `SELECT block, sum(count) FROM email_counts WHERE field = ? AND ${this.among('value')}
         GROUP BY block`,
  );
  readonly #blocksBetween = this.sql.prepare(
    'SELECT block, sum(count) FROM email_counts WHERE field = ? AND value BETWEEN ? AND ? GROUP BY block',
  );
  readonly #blocksOfHours = this.sql.prepare(
    "SELECT min(block), max(block) FROM email_counts WHERE field = 'hour' AND value BETWEEN ? AND ? AND count > 0",
  );

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
      if (by !== 0) this.#add.send(change.field, change.value, block, by);
      if (by < 0) this.#prune.send(change.field, change.value, block);
    }
  }

  /** Returns the number of emails created from one instant to another, both included. */
  async createdIn(from = INSTANT_MIN, to = INSTANT_MAX): Promise<number> {
    const [first, last] = [hourOf(from), hourOf(to)];
    if (first >= last) return (await this.#createdIn.value<number>(from, to)) ?? 0;
    const parts = await Promise.all([
      this.#createdIn.value<number>(from, startOfHour(first) + HOUR_MS - 1),
      this.#inHours.value<number>(first, last),
      this.#createdIn.value<number>(startOfHour(last), to),
    ]);
    return parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  }

  /** Returns between which numbers all emails of these instants are, both exclusive. */
  async rangeOf(from: number, to: number): Promise<{ after: number; before: number }> {
    const blocks = await this.#blocksOfHours.tuple<[number | null, number | null]>(hourOf(from), hourOf(to));
    const [first, last] = blocks ?? [null, null];
    if (first === null || last === null) return { after: 0, before: 0 };
    return { after: first * 2 ** BLOCK_BITS - 1, before: (last + 1) * 2 ** BLOCK_BITS };
  }

  /** Returns the number of emails per block whose field has one of these values; without values, of all emails. */
  async perBlock(field: CountedField, values?: readonly string[]): Promise<Map<number, number>> {
    return new Map(
      values === undefined
        ? await this.#blocksOfAll.tuples<[number, number]>(field)
        : await this.#blocksOfValues.tuples<[number, number]>(field, this.sql.list(values)),
    );
  }

  /** Returns the number of emails per block whose field has a value from `first` to `last`. */
  async perBlockBetween(field: CountedField, first: string, last: string): Promise<Map<number, number>> {
    return new Map(await this.#blocksBetween.tuples<[number, number]>(field, first, last));
  }

  /** Returns the number of emails of each value that occurs. */
  async byValue(field: CountedField): Promise<Map<string, number>> {
    return new Map(await this.#byValue.tuples<[string, number]>(field));
  }

  /** The same for the values with the most emails. */
  async mostFrequent(field: CountedField, limit: number): Promise<Map<string, number>> {
    return new Map(await this.#mostFrequent.tuples<[string, number]>(field, limit));
  }

  /** Returns the number of emails with a value, or of all. */
  async total({ field, value }: Counted): Promise<number> {
    const total = value === undefined ? this.#total.value<number>(field) : this.#totalOf.value<number>(field, value);
    return (await total) ?? 0;
  }

  /**
   * Returns the number of emails, and where to begin a list that skips the newest `offset` of them: `skip` emails
   * up to the number `upTo`, which is null for the newest.
   */
  async place(
    { field, value }: Counted,
    offset: number,
  ): Promise<{ total: number; upTo: number | null; skip: number }> {
    if (offset === 0) return { total: await this.total({ field, value }), upTo: null, skip: 0 };
    const blocks =
      value === undefined
        ? await this.#blocksOfAll.tuples<[number, number]>(field)
        : await this.#blocksOf.tuples<[number, number]>(field, value);
    let total = 0;
    let found: { upTo: number | null; skip: number } | undefined;
    for (const [block, count] of blocks) {
      if (!found && offset < total + count) {
        found = { upTo: total === 0 ? null : (block + 1) * 2 ** BLOCK_BITS - 1, skip: offset - total };
      }
      total += count;
    }
    return { total, ...(found ?? { upTo: offset === 0 ? null : 0, skip: 0 }) };
  }
}
