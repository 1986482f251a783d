import type Database from 'better-sqlite3';
import type { ExpiredQuery } from '../../../../core/reads.js';

/** Selects emails that are sent, delivered and parsed. */
const IS_DONE = `status <> 'scheduled' AND pending = 0
  AND NOT EXISTS (SELECT 1 FROM unparsed WHERE unparsed.seq = emails.seq)`;

/** Finds the emails that a server no longer keeps. */
export class RetentionQueries {
  readonly #total;
  readonly #surplus;
  readonly #old;

  constructor(db: Database.Database) {
    this.#total = db.prepare("SELECT coalesce(sum(count), 0) FROM email_counts WHERE field = 'status'").pluck();
    this.#surplus = db
      .prepare(
        `SELECT id FROM (SELECT * FROM emails ORDER BY seq LIMIT ?) AS emails WHERE seq > ? AND ${IS_DONE} LIMIT ?`,
      )
      .pluck();
    this.#old = db
      .prepare(`SELECT id FROM emails WHERE captured_at < ? AND seq > ? AND ${IS_DONE} ORDER BY captured_at LIMIT ?`)
      .pluck();
  }

  expired({ keep, capturedBefore, after = 0, limit }: ExpiredQuery): string[] {
    const surplus = keep === null ? 0 : (this.#total.get() as number) - keep;
    const ids = new Set(surplus > 0 ? (this.#surplus.all(surplus, after, limit) as string[]) : []);
    if (capturedBefore !== null && ids.size < limit) {
      for (const id of this.#old.all(capturedBefore, after, limit) as string[]) ids.add(id);
    }
    return [...ids].slice(0, limit);
  }
}
