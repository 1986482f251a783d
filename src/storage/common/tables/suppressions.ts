import type { Page, Paged } from '../../../core/model/pages.js';
import type { SuppressionRecord } from '../../../core/model/resources.js';
import { instant, oneOf, text, textOrNull } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import type { Rows, Sql } from '../sql.js';

export const suppressionRow = new RowMapping<SuppressionRecord>({
  mailbox: text('mailbox'),
  reason: oneOf('reason', ['hard_bounce', 'complaint', 'manual']),
  emailId: textOrNull('email_id'),
  createdAt: instant('created_at'),
});

const CONTAINS = '(instr(mailbox, @search) > 0 OR @search IS NULL)';

/** Stores suppressed addresses. */
export class SuppressionTable {
  readonly #insert;
  readonly #find;
  readonly #list;
  readonly #count;
  readonly #delete;

  constructor(
    sql: Sql,
    private readonly rows: Rows,
  ) {
    this.#insert = sql.prepare(`INSERT INTO suppressions ${suppressionRow.into()} ON CONFLICT (mailbox) DO NOTHING`);
    this.#find = sql.prepare('SELECT * FROM suppressions WHERE mailbox = ?');
    this.#list = sql.prepare(
      `SELECT * FROM suppressions WHERE ${CONTAINS} ORDER BY seq DESC LIMIT @limit OFFSET @offset`,
    );
    this.#count = sql.prepare(`SELECT count(*) FROM suppressions WHERE ${CONTAINS}`);
    this.#delete = sql.prepare('DELETE FROM suppressions WHERE mailbox = ?');
  }

  async insert(suppression: SuppressionRecord): Promise<void> {
    this.#insert.send(...suppressionRow.values(suppression));
  }

  async find(mailbox: string): Promise<SuppressionRecord | undefined> {
    return this.rows.one('suppressions', () => this.#find.get(mailbox), suppressionRow.read);
  }

  async list({
    limit,
    offset,
    search = null,
  }: Page & { search?: string | undefined | null }): Promise<Paged<SuppressionRecord>> {
    const items = await this.rows.all(
      'suppressions',
      () => this.#list.all({ limit, offset, search }),
      suppressionRow.read,
    );
    return { items, total: (await this.#count.value<number>({ search })) ?? 0 };
  }

  async delete(mailbox: string): Promise<boolean> {
    return (await this.#delete.run(mailbox)) > 0;
  }
}
