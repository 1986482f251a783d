import type Database from 'better-sqlite3';
import type { Page, Paged, TemplateRecord } from '../../../core/model.js';
import type { Columns } from '../rows/columns.js';
import type { RowReader } from '../rows/reader.js';
import { falseOnConflict } from '../rows/rows.js';

export class TemplateTable {
  readonly #insert;
  readonly #update;
  readonly #delete;
  readonly #find;
  readonly #list;
  readonly #count;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#insert = db.prepare(
      `INSERT INTO templates (id, name, subject, html, text, created_at, updated_at)
       VALUES (@id, @name, @subject, @html, @text, @createdAt, @updatedAt)`,
    );
    this.#update = db.prepare(
      `UPDATE templates SET name = @name, subject = @subject, html = @html, text = @text, updated_at = @updatedAt
       WHERE id = @id`,
    );
    this.#delete = db.prepare('DELETE FROM templates WHERE id = ?');
    this.#find = db.prepare('SELECT * FROM templates WHERE id = ?');
    this.#list = db.prepare('SELECT * FROM templates ORDER BY seq DESC LIMIT ? OFFSET ?');
    this.#count = db.prepare('SELECT count(*) FROM templates').pluck();
  }

  async insert(template: TemplateRecord): Promise<boolean> {
    return falseOnConflict(() => this.#insert.run(template));
  }

  async update(template: TemplateRecord): Promise<boolean> {
    return falseOnConflict(() => this.#update.run(template));
  }

  async delete(id: string): Promise<void> {
    this.#delete.run(id);
  }

  async find(id: string): Promise<TemplateRecord | undefined> {
    return this.rows.one('templates', () => this.#find.get(id), readTemplate);
  }

  async list({ limit, offset }: Page): Promise<Paged<TemplateRecord>> {
    const items = this.rows.all('templates', () => this.#list.all(limit, offset), readTemplate);
    return { items, total: this.#count.get() as number };
  }
}

export function readTemplate(row: Columns): TemplateRecord {
  return {
    id: row.text('id'),
    name: row.text('name'),
    subject: row.text('subject'),
    html: row.text('html'),
    text: row.text('text'),
    createdAt: row.instant('created_at'),
    updatedAt: row.instant('updated_at'),
  };
}
