import type Database from 'better-sqlite3';
import type { Page, Paged, SuppressionRecord } from '../../core/model.js';

const COLUMNS = 'mailbox, reason, email_id AS emailId, created_at AS createdAt';

/** Addresses that nothing is sent to. */
export class SuppressionTable {
  readonly #insert;
  readonly #find;
  readonly #list;
  readonly #count;
  readonly #delete;

  constructor(db: Database.Database) {
    this.#insert = db.prepare(
      `INSERT INTO suppressions (mailbox, reason, email_id, created_at) VALUES (@mailbox, @reason, @emailId, @createdAt)
       ON CONFLICT (mailbox) DO NOTHING`,
    );
    this.#find = db.prepare(`SELECT ${COLUMNS} FROM suppressions WHERE mailbox = ?`);
    this.#list = db.prepare(`SELECT ${COLUMNS} FROM suppressions ORDER BY seq DESC LIMIT ? OFFSET ?`);
    this.#count = db.prepare('SELECT count(*) FROM suppressions').pluck();
    this.#delete = db.prepare('DELETE FROM suppressions WHERE mailbox = ?');
  }

  async insert(suppression: SuppressionRecord): Promise<void> {
    this.#insert.run(suppression);
  }

  async find(mailbox: string): Promise<SuppressionRecord | undefined> {
    return this.#find.get(mailbox) as SuppressionRecord | undefined;
  }

  async list({ limit, offset }: Page): Promise<Paged<SuppressionRecord>> {
    return { items: this.#list.all(limit, offset) as SuppressionRecord[], total: this.#count.get() as number };
  }

  async delete(mailbox: string): Promise<boolean> {
    return this.#delete.run(mailbox).changes > 0;
  }
}
