import type Database from 'better-sqlite3';
import { bounceTypes, complaintTypes, dropReasons, outcomes } from '../../../contract/vocabulary/outcome.js';
import type { RuleRecord } from '../../../core/model/resources.js';
import { instant, integer, integerOrNull, oneOf, oneOfOrNull, text, textOrNull } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import type { RowReader } from '../rows/reader.js';
import { RowQuery } from '../rows/row-query.js';

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
});

/** Stores outcome rules. */
export class RuleTable {
  readonly #insert;
  readonly #list;
  readonly #listActive;
  readonly #use;
  readonly #delete;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#insert = db.prepare(`INSERT INTO rules ${ruleRow.into()}`);
    this.#list = new RowQuery(db, 'SELECT * FROM rules ORDER BY seq DESC');
    this.#listActive = new RowQuery(db, 'SELECT * FROM rules WHERE times IS NULL OR used < times ORDER BY seq DESC');
    this.#use = db.prepare('UPDATE rules SET used = used + 1 WHERE id = ?');
    this.#delete = db.prepare('DELETE FROM rules WHERE id = ?');
  }

  async insert(rule: RuleRecord): Promise<void> {
    this.#insert.run(...ruleRow.values(rule));
  }

  async list(): Promise<RuleRecord[]> {
    return this.rows.all('rules', () => this.#list.all(), ruleRow.read);
  }

  async listActive(): Promise<RuleRecord[]> {
    return this.rows.all('rules', () => this.#listActive.all(), ruleRow.read);
  }

  async use(id: string): Promise<void> {
    this.#use.run(id);
  }

  async delete(id: string): Promise<boolean> {
    return this.#delete.run(id).changes > 0;
  }
}
