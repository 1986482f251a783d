import type Database from 'better-sqlite3';
import type { Page, Paged, SuppressionRecord } from '../../../core/model.js';
import type { Columns } from '../rows/columns.js';
import type { RowReader } from '../rows/reader.js';

/** Addresses that nothing is sent to. */
export class SuppressionTable {
  readonly #insert;
  readonly #find;
  readonly #list;
  readonly #count;
  readonly #delete;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#insert = db.prepare(
      `INSERT INTO suppressions (mailbox, reason, email_id, created_at) VALUES (@mailbox, @reason, @emailId, @createdAt)
       ON CONFLICT (mailbox) DO NOTHING`,
    );
    this.#find = db.prepare('SELECT * FROM suppressions WHERE mailbox = ?');
    this.#list = db.prepare('SELECT * FROM suppressions ORDER BY seq DESC LIMIT ? OFFSET ?');
    this.#count = db.prepare('SELECT count(*) FROM suppressions').pluck();
    this.#delete = db.prepare('DELETE FROM suppressions WHERE mailbox = ?');
  }

  async insert(suppression: SuppressionRecord): Promise<void> {
    this.#insert.run(suppression);
  }

  async find(mailbox: string): Promise<SuppressionRecord | undefined> {
    return this.rows.one('suppressions', () => this.#find.get(mailbox), readSuppression);
  }

  async list({ limit, offset }: Page): Promise<Paged<SuppressionRecord>> {
    const items = this.rows.all('suppressions', () => this.#list.all(limit, offset), readSuppression);
    return { items, total: this.#count.get() as number };
  }

  async delete(mailbox: string): Promise<boolean> {
    return this.#delete.run(mailbox).changes > 0;
  }
}

export function readSuppression(row: Columns): SuppressionRecord {
  return {
    mailbox: row.text('mailbox'),
    reason: row.oneOf('reason', ['hard_bounce', 'complaint', 'manual']),
    emailId: row.textOrNull('email_id'),
    createdAt: row.instant('created_at'),
  };
}
