import type { Page, Paged, SuppressionRecord } from '../../../core/model/resources.js';
import { instant, oneOf, text, textOrNull } from '../rows/column-kinds.js';
import { IN_SCOPE, RowMapping, scopeOf, workspaceOrNone } from '../rows/mapping.js';
import { Table } from '../sql.js';

export const suppressionRow = new RowMapping<SuppressionRecord>({
  mailbox: text('mailbox'),
  reason: oneOf('reason', ['hard_bounce', 'complaint', 'manual']),
  emailId: textOrNull('email_id'),
  createdAt: instant('created_at'),
  workspace: workspaceOrNone('workspace'),
});

const CONTAINS = `(instr(mailbox, @search) > 0 OR @search IS NULL) AND ${IN_SCOPE}`;

/** Stores suppressed addresses. */
export class SuppressionTable extends Table {
  readonly #insert = this.sql.prepare(
    `INSERT INTO suppressions ${suppressionRow.into()} ON CONFLICT (mailbox, workspace) DO NOTHING`,
  );
  readonly #find = this.sql.preparePolicy('SELECT * FROM suppressions WHERE mailbox = ? AND workspace = ?');
  readonly #list = this.sql.prepare(
    `SELECT * FROM suppressions WHERE ${CONTAINS} ORDER BY seq DESC LIMIT @limit OFFSET @offset`,
  );
  readonly #count = this.sql.prepare(`SELECT count(*) FROM suppressions WHERE ${CONTAINS}`);
  readonly #delete = this.sql.prepare('DELETE FROM suppressions WHERE mailbox = ? AND workspace = ?');
  readonly #clear = this.sql.prepare('DELETE FROM suppressions WHERE workspace = ?');

  async insert(suppression: SuppressionRecord): Promise<void> {
    this.#insert.send(...suppressionRow.values(suppression));
  }

  async find(mailbox: string, workspace: string | null): Promise<SuppressionRecord | undefined> {
    return this.rows.one('suppressions', () => this.#find.get(mailbox, workspace ?? ''), suppressionRow.read);
  }

  async list({
    limit,
    offset,
    search = null,
    workspace,
  }: Page & { search?: string | undefined | null; workspace?: string | null | undefined }): Promise<
    Paged<SuppressionRecord>
  > {
    const conditions = { search, scope: scopeOf(workspace) };
    const items = await this.rows.all(
      'suppressions',
      () => this.#list.all({ limit, offset, ...conditions }),
      suppressionRow.read,
    );
    return { items, total: (await this.#count.value<number>(conditions)) ?? 0 };
  }

  async delete(mailbox: string, workspace: string | null): Promise<boolean> {
    return (await this.#delete.run(mailbox, workspace ?? '')) > 0;
  }

  async clear(workspace: string): Promise<void> {
    this.#clear.send(workspace);
  }
}
