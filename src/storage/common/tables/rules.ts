import { bounceTypes, complaintTypes, dropReasons, outcomes } from '../../../contract/vocabulary/outcomes.js';
import type { RuleRecord } from '../../../core/model/resources.js';
import { instant, integer, integerOrNull, oneOf, oneOfOrNull, text, textOrNull } from '../rows/column-kinds.js';
import { IN_SCOPE, RowMapping, scopeOf, workspaceOrNone } from '../rows/mapping.js';
import type { Rows, Sql } from '../sql.js';

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

/** Stores outcome rules. */
export class RuleTable {
  readonly #insert;
  readonly #list;
  readonly #listActive;
  readonly #use;
  readonly #delete;
  readonly #clear;

  constructor(
    sql: Sql,
    private readonly rows: Rows,
  ) {
    this.#insert = sql.prepare(`INSERT INTO rules ${ruleRow.into()}`);
    this.#list = sql.prepare(`SELECT * FROM rules WHERE ${IN_SCOPE} ORDER BY seq DESC`);
    // The uses of other rules do not matter, and would make each answer differ from the one before.
    const columns = ruleRow.names.replace(/\bused\b/, 'CASE WHEN times IS NULL THEN 0 ELSE used END AS used');
    this.#listActive = sql.preparePolicy(
      `SELECT ${columns} FROM rules WHERE workspace = ? AND (times IS NULL OR used < times) ORDER BY seq DESC`,
    );
    this.#use = sql.prepare('UPDATE rules SET used = used + 1 WHERE id = ?');
    this.#delete = sql.prepare(`DELETE FROM rules WHERE id = @id AND ${IN_SCOPE}`);
    this.#clear = sql.prepare('DELETE FROM rules WHERE workspace = ?');
  }

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
