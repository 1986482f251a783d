import type { ExpiredQuery } from '../../../../core/reads.js';
import type { Sql } from '../../sql.js';

/** Selects emails that are sent, delivered and parsed. */
const IS_DONE = `status <> 'scheduled' AND pending = 0
  AND NOT EXISTS (SELECT 1 FROM unparsed WHERE unparsed.seq = emails.seq)`;

/** Finds the emails that a server no longer keeps. */
export class RetentionQueries {
  readonly #total;
  readonly #surplus;
  readonly #old;

  constructor(sql: Sql) {
    this.#total = sql.prepare("SELECT coalesce(sum(count), 0) FROM email_counts WHERE field = 'status'");
    this.#surplus = sql.prepare(
      `SELECT id FROM (SELECT * FROM emails ORDER BY seq LIMIT ?) AS emails WHERE seq > ? AND ${IS_DONE} LIMIT ?`,
    );
    this.#old = sql.prepare(
      `SELECT id FROM emails WHERE captured_at < ? AND seq > ? AND ${IS_DONE} ORDER BY captured_at LIMIT ?`,
    );
  }

  async expired({ keep, capturedBefore, after = 0, limit }: ExpiredQuery): Promise<string[]> {
    const surplus = keep === null ? 0 : ((await this.#total.value<number>()) ?? 0) - keep;
    const ids = new Set(surplus > 0 ? await this.#surplus.values<string>(surplus, after, limit) : []);
    if (capturedBefore !== null && ids.size < limit) {
      for (const id of await this.#old.values<string>(capturedBefore, after, limit)) ids.add(id);
    }
    return [...ids].slice(0, limit);
  }
}
