import { actorKinds, SIGN_IN } from '../../../contract/vocabulary/access.js';
import { AUDIT_ENTRIES_KEPT } from '../../../contract/vocabulary/limits.js';
import type { AuditEntry, NewAuditEntry } from '../../../core/model/logs.js';
import type { Page } from '../../../core/model/resources.js';
import { instant, oneOf, text, textOrNull, texts } from '../rows/column-kinds.js';
import type { Columns } from '../rows/columns.js';
import { RowMapping } from '../rows/mapping.js';
import { ObservedTable } from '../sql.js';
import { UNDOABLE } from './mail/deleted-emails.js';

/** Tables without rows in archives. The audit log belongs to its server: an import or a reset is an entry of it. */
export const NOT_ARCHIVED: ReadonlySet<string> = new Set([...UNDOABLE, 'audit']);

const auditRow = new RowMapping<NewAuditEntry>({
  createdAt: instant('created_at'),
  actorKind: oneOf('actor_kind', actorKinds),
  actor: textOrNull('actor'),
  keyId: textOrNull('key_id'),
  owner: textOrNull('owner'),
  action: text('action'),
  target: textOrNull('target'),
  details: texts('details'),
  workspace: textOrNull('workspace'),
  client: textOrNull('client'),
  requestId: text('request_id'),
});

/** Stores the audit log. */
export class AuditTable extends ObservedTable {
  readonly #insert = this.sql.prepare(`INSERT INTO audit ${auditRow.into()}`);
  // Numbers have few gaps, so this needs no scan.
  readonly #trim = this.sql.prepare(
    `DELETE FROM audit WHERE seq <= (SELECT max(seq) FROM audit) - ${AUDIT_ENTRIES_KEPT}`,
  );
  readonly #list = this.sql.prepare('SELECT * FROM audit ORDER BY seq DESC LIMIT @limit OFFSET @offset');
  readonly #count = this.sql.prepare('SELECT count(*) FROM audit');
  readonly #signIn = this.sql.prepare(
    `SELECT count(*) FROM audit WHERE created_at >= ? AND action = '${SIGN_IN}' AND actor = ?`,
  );
  readonly #before = this.sql.prepare('SELECT seq FROM audit WHERE created_at < ? ORDER BY seq LIMIT ?');
  readonly #remove = this.sql.prepare(`DELETE FROM audit WHERE ${this.among('seq')}`);

  async append(entry: NewAuditEntry): Promise<void> {
    this.#insert.send(...auditRow.values(entry));
    this.#trim.send();
    this.changes().logs += 1;
  }

  async list(page: Page): Promise<{ items: AuditEntry[]; total: number }> {
    const { limit, offset } = page;
    const items = await this.rows.all('audit', () => this.#list.all({ limit, offset }), readAuditEntry);
    return { items, total: (await this.#count.value<number>()) ?? 0 };
  }

  async hasSignIn(person: string, since: number): Promise<boolean> {
    return ((await this.#signIn.value<number>(since, person)) ?? 0) > 0;
  }

  async before(instant: number, limit: number): Promise<number[]> {
    return this.#before.values<number>(instant, limit);
  }

  async remove(seqs: readonly number[]): Promise<void> {
    this.#remove.send(this.sql.list(seqs));
  }
}

export function readAuditEntry(row: Columns): AuditEntry {
  return { seq: row.key('seq'), ...auditRow.read(row) };
}
