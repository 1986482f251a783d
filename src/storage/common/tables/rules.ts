import { bounceTypes, complaintTypes, dropReasons, outcomes } from '../../../contract/vocabulary/outcomes.js';
import type { RuleRecord } from '../../../core/model/resources.js';
import { instant, integer, integerOrNull, oneOf, oneOfOrNull, text, textOrNull } from '../rows/column-kinds.js';
import { IN_SCOPE, RowMapping, scopeOf, workspaceOrNone } from '../rows/mapping.js';
import { Table } from '../sql.js';

export const ruleRow = new RowMapping<RuleRecord>({
  id: text('id'),
  pattern: text('pattern'),
  outcome: oneOf('outcome', outcomes),
  bounceType: oneOfOrNull('bounce_type', bounceTypes),
  complaintType: oneOfOrNull('complaint_type', complaintTypes),
  dropReason: oneOfOrNull('drop_reason', dropReasons),
  reason: textOrNull('reason'),
  delayMs: integerOrNull('delay_ms', 0),
  times: integerOrNull('times', 1),
  used: integer('used', 0),
  createdAt: instant('created_at'),
  workspace: workspaceOrNone('workspace'),
});

/** The uses of rules without a number of times do not matter, and would make each answer differ from the one before. */
const COMPARED = ruleRow.names.replace(/\bused\b/, 'CASE WHEN times IS NULL THEN 0 ELSE used END AS used');

/** Stores outcome rules. */
export class RuleTable extends Table {
  readonly #insert = this.sql.prepare(`INSERT INTO rules ${ruleRow.into()}`);
  readonly #list = this.sql.prepare(`SELECT * FROM rules WHERE ${IN_SCOPE} ORDER BY seq DESC`);
  readonly #listActive = this.sql.preparePolicy(
    `SELECT ${COMPARED} FROM rules WHERE workspace = ? AND (times IS NULL OR used < times) ORDER BY seq DESC`,
  );
  readonly #use = this.sql.prepare('UPDATE rules SET used = used + 1 WHERE id = ?');
  readonly #delete = this.sql.prepare(`DELETE FROM rules WHERE id = @id AND ${IN_SCOPE}`);
  readonly #clear = this.sql.prepare('DELETE FROM rules WHERE workspace = ?');

  async insert(rule: RuleRecord): Promise<void> {
    this.#insert.send(...ruleRow.values(rule));
  }

  async list(workspace?: string | null): Promise<RuleRecord[]> {
    return this.rows.all('rules', () => this.#list.all({ scope: scopeOf(workspace) }), ruleRow.read);
  }

  async listActive(workspace: string | null): Promise<RuleRecord[]> {
    return this.rows.all('rules', () => this.#listActive.all(workspace ?? ''), ruleRow.read);
  }

  async use(id: string): Promise<void> {
    this.#use.send(id);
  }

  async delete(id: string, workspace?: string | null): Promise<boolean> {
    return (await this.#delete.run({ id, scope: scopeOf(workspace) })) > 0;
  }

  async clear(workspace: string): Promise<void> {
    this.#clear.send(workspace);
  }
}
