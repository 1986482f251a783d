import type Database from 'better-sqlite3';
import type { Page, Paged } from '../../../core/model/pages.js';
import type { SuppressionRecord } from '../../../core/model/resources.js';
import { instant, oneOf, text, textOrNull } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import type { RowReader } from '../rows/reader.js';
import { RowQuery } from '../rows/row-query.js';

export const suppressionRow = new RowMapping<SuppressionRecord>({
  mailbox: text('mailbox'),
  reason: oneOf('reason', ['hard_bounce', 'complaint', 'manual']),
  emailId: textOrNull('email_id'),
  createdAt: instant('created_at'),
});

const CONTAINS = '(@search IS NULL OR instr(mailbox, @search) > 0)';

/** Stores suppressed addresses. */
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
    this.#insert = db.prepare(`INSERT INTO suppressions ${suppressionRow.into()} ON CONFLICT (mailbox) DO NOTHING`);
    this.#find = new RowQuery(db, 'SELECT * FROM suppressions WHERE mailbox = ?');
    this.#list = new RowQuery(
      db,
      `SELECT * FROM suppressions WHERE ${CONTAINS} ORDER BY seq DESC LIMIT @limit OFFSET @offset`,
    );
    this.#count = db.prepare(`SELECT count(*) FROM suppressions WHERE ${CONTAINS}`).pluck();
    this.#delete = db.prepare('DELETE FROM suppressions WHERE mailbox = ?');
  }

  async insert(suppression: SuppressionRecord): Promise<void> {
    this.#insert.run(...suppressionRow.values(suppression));
  }

  async find(mailbox: string): Promise<SuppressionRecord | undefined> {
    return this.rows.one('suppressions', () => this.#find.get(mailbox), suppressionRow.read);
  }

  async list({
    limit,
    offset,
    search = null,
  }: Page & { search?: string | undefined | null }): Promise<Paged<SuppressionRecord>> {
    const items = this.rows.all('suppressions', () => this.#list.all({ limit, offset, search }), suppressionRow.read);
    return { items, total: this.#count.get({ search }) as number };
  }

  async delete(mailbox: string): Promise<boolean> {
    return this.#delete.run(mailbox).changes > 0;
  }
}
