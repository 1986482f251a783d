import type Database from 'better-sqlite3';
import type { Page, Paged, TemplateRecord } from '../../core/model.js';
import { unlessTaken } from './rows.js';

const COLUMNS = 'id, name, subject, html, text, created_at AS createdAt, updated_at AS updatedAt';

export class TemplateTable {
  readonly #insert;
  readonly #update;
  readonly #delete;
  readonly #find;
  readonly #list;
  readonly #count;

  constructor(db: Database.Database) {
    this.#insert = db.prepare(
      `INSERT INTO templates (id, name, subject, html, text, created_at, updated_at)
       VALUES (@id, @name, @subject, @html, @text, @createdAt, @updatedAt)`,
    );
    this.#update = db.prepare(
      `UPDATE templates SET name = @name, subject = @subject, html = @html, text = @text, updated_at = @updatedAt
       WHERE id = @id`,
    );
    this.#delete = db.prepare('DELETE FROM templates WHERE id = ?');
    this.#find = db.prepare(`SELECT ${COLUMNS} FROM templates WHERE id = ?`);
    this.#list = db.prepare(`SELECT ${COLUMNS} FROM templates ORDER BY seq DESC LIMIT ? OFFSET ?`);
    this.#count = db.prepare('SELECT count(*) FROM templates').pluck();
  }

  async insert(template: TemplateRecord): Promise<boolean> {
    return unlessTaken(() => this.#insert.run(template));
  }

  async update(template: TemplateRecord): Promise<boolean> {
    return unlessTaken(() => this.#update.run(template));
  }

  async delete(id: string): Promise<void> {
    this.#delete.run(id);
  }

  async find(id: string): Promise<TemplateRecord | undefined> {
    return this.#find.get(id) as TemplateRecord | undefined;
  }

  async list({ limit, offset }: Page): Promise<Paged<TemplateRecord>> {
    return { items: this.#list.all(limit, offset) as TemplateRecord[], total: this.#count.get() as number };
  }
}
