import type { Page, Paged, TemplateRecord } from '../../../core/model/resources.js';
import { instant, text } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import { Table } from '../sql.js';

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

export class TemplateTable extends Table {
  readonly #insert = this.sql.prepare(`INSERT INTO templates ${templateRow.into()} ON CONFLICT DO NOTHING`);
  readonly #update = this.sql.prepare(
    `UPDATE templates SET ${templateRow.set(CHANGEABLE)}
       WHERE id = ? AND NOT EXISTS (SELECT 1 FROM templates AS other WHERE other.name = ? AND other.id <> templates.id)`,
  );
  readonly #delete = this.sql.prepare('DELETE FROM templates WHERE id = ?');
  readonly #find = this.sql.prepare('SELECT * FROM templates WHERE id = ?');
  readonly #list = this.sql.prepare('SELECT * FROM templates ORDER BY seq DESC LIMIT ? OFFSET ?');
  readonly #count = this.sql.prepare('SELECT count(*) FROM templates');

  async insert(template: TemplateRecord): Promise<boolean> {
    return (await this.#insert.run(...templateRow.values(template))) > 0;
  }

  async update(template: TemplateRecord): Promise<boolean> {
    const { id, name } = template;
    return (await this.#update.run(...templateRow.valuesOf(CHANGEABLE, template), id, name)) > 0;
  }

  async delete(id: string): Promise<void> {
    this.#delete.send(id);
  }

  async find(id: string): Promise<TemplateRecord | undefined> {
    return this.rows.one('templates', () => this.#find.get(id), templateRow.read);
  }

  async list({ limit, offset }: Page): Promise<Paged<TemplateRecord>> {
    const items = await this.rows.all('templates', () => this.#list.all(limit, offset), templateRow.read);
    return { items, total: (await this.#count.value<number>()) ?? 0 };
  }
}
