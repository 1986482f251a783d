import type Database from 'better-sqlite3';
import type { Page, Paged } from '../../../core/model/pages.js';
import type { TemplateRecord } from '../../../core/model/resources.js';
import { instant, text } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import type { RowReader } from '../rows/reader.js';
import { RowQuery } from '../rows/row-query.js';
import { falseOnConflict } from '../rows/rows.js';

export const templateRow = new RowMapping<TemplateRecord>({
  id: text('id'),
  name: text('name'),
  subject: text('subject'),
  html: text('html'),
  text: text('text'),
  createdAt: instant('created_at'),
  updatedAt: instant('updated_at'),
});

const CHANGEABLE = ['name', 'subject', 'html', 'text', 'updatedAt'] as const;

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
    this.#insert = db.prepare(`INSERT INTO templates ${templateRow.into()}`);
    this.#update = db.prepare(`UPDATE templates SET ${templateRow.set(CHANGEABLE)} WHERE id = ?`);
    this.#delete = db.prepare('DELETE FROM templates WHERE id = ?');
    this.#find = new RowQuery(db, 'SELECT * FROM templates WHERE id = ?');
    this.#list = new RowQuery(db, 'SELECT * FROM templates ORDER BY seq DESC LIMIT ? OFFSET ?');
    this.#count = db.prepare('SELECT count(*) FROM templates').pluck();
  }

  async insert(template: TemplateRecord): Promise<boolean> {
    return falseOnConflict(() => this.#insert.run(...templateRow.values(template)));
  }

  async update(template: TemplateRecord): Promise<boolean> {
    return falseOnConflict(() => this.#update.run(...templateRow.valuesOf(CHANGEABLE, template), template.id));
  }

  async delete(id: string): Promise<void> {
    this.#delete.run(id);
  }

  async find(id: string): Promise<TemplateRecord | undefined> {
    return this.rows.one('templates', () => this.#find.get(id), templateRow.read);
  }

  async list({ limit, offset }: Page): Promise<Paged<TemplateRecord>> {
    const items = this.rows.all('templates', () => this.#list.all(limit, offset), templateRow.read);
    return { items, total: this.#count.get() as number };
  }
}
