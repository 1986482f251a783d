import type Database from 'better-sqlite3';
import type { RuleRecord } from '../../core/model.js';

const COLUMNS = `id, pattern, outcome, bounce_type AS bounceType, complaint_type AS complaintType,
  drop_reason AS dropReason, reason, delay_ms AS delayMs, times, used, created_at AS createdAt`;

/** What becomes of mail to the recipients that a pattern names. */
export class RuleTable {
  readonly #insert;
  readonly #list;
  readonly #inForce;
  readonly #use;
  readonly #delete;

  constructor(db: Database.Database) {
    this.#insert = db.prepare(
      `INSERT INTO rules (id, pattern, outcome, bounce_type, complaint_type, drop_reason, reason, delay_ms, times, used,
         created_at)
       VALUES (@id, @pattern, @outcome, @bounceType, @complaintType, @dropReason, @reason, @delayMs, @times, @used,
         @createdAt)`,
    );
    this.#list = db.prepare(`SELECT ${COLUMNS} FROM rules ORDER BY seq DESC`);
    this.#inForce = db.prepare(`SELECT ${COLUMNS} FROM rules WHERE times IS NULL OR used < times ORDER BY seq DESC`);
    this.#use = db.prepare('UPDATE rules SET used = used + 1 WHERE id = ?');
    this.#delete = db.prepare('DELETE FROM rules WHERE id = ?');
  }

  async insert(rule: RuleRecord): Promise<void> {
    this.#insert.run(rule);
  }

  async list(): Promise<RuleRecord[]> {
    return this.#list.all() as RuleRecord[];
  }

  async inForce(): Promise<RuleRecord[]> {
    return this.#inForce.all() as RuleRecord[];
  }

  async use(id: string): Promise<void> {
    this.#use.run(id);
  }

  async delete(id: string): Promise<boolean> {
    return this.#delete.run(id).changes > 0;
  }
}
