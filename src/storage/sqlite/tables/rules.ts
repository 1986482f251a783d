import type Database from 'better-sqlite3';
import { bounceTypes, complaintTypes, dropReasons, outcomes } from '../../../contract/vocabulary/outcome.js';
import type { RuleRecord } from '../../../core/model.js';
import type { Columns } from '../rows/columns.js';
import type { RowReader } from '../rows/reader.js';

/** What becomes of mail to the recipients that a pattern names. */
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
    this.#insert = db.prepare(
      `INSERT INTO rules (id, pattern, outcome, bounce_type, complaint_type, drop_reason, reason, delay_ms, times, used,
         created_at)
       VALUES (@id, @pattern, @outcome, @bounceType, @complaintType, @dropReason, @reason, @delayMs, @times, @used,
         @createdAt)`,
    );
    this.#list = db.prepare('SELECT * FROM rules ORDER BY seq DESC');
    this.#listActive = db.prepare('SELECT * FROM rules WHERE times IS NULL OR used < times ORDER BY seq DESC');
    this.#use = db.prepare('UPDATE rules SET used = used + 1 WHERE id = ?');
    this.#delete = db.prepare('DELETE FROM rules WHERE id = ?');
  }

  async insert(rule: RuleRecord): Promise<void> {
    this.#insert.run(rule);
  }

  async list(): Promise<RuleRecord[]> {
    return this.rows.all('rules', () => this.#list.all(), readRule);
  }

  async listActive(): Promise<RuleRecord[]> {
    return this.rows.all('rules', () => this.#listActive.all(), readRule);
  }

  async use(id: string): Promise<void> {
    this.#use.run(id);
  }

  async delete(id: string): Promise<boolean> {
    return this.#delete.run(id).changes > 0;
  }
}

export function readRule(row: Columns): RuleRecord {
  return {
    id: row.text('id'),
    pattern: row.text('pattern'),
    outcome: row.oneOf('outcome', outcomes),
    bounceType: row.oneOfOrNull('bounce_type', bounceTypes),
    complaintType: row.oneOfOrNull('complaint_type', complaintTypes),
    dropReason: row.oneOfOrNull('drop_reason', dropReasons),
    reason: row.textOrNull('reason'),
    delayMs: row.integerOrNull('delay_ms', 0),
    times: row.integerOrNull('times', 1),
    used: row.integer('used', 0),
    createdAt: row.instant('created_at'),
  };
}
