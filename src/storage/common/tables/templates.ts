import type { DomainRecord, Page, Paged, TemplateRecord } from '../../../core/model/resources.js';
import { bit, instant, oneOf, text } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import type { Rows, Sql } from '../sql.js';

export const templateRow = new RowMapping<TemplateRecord>({
  id: text('id'),
  name: text('name'),
  subject: text('subject'),
  html: text('html'),
  text: text('text'),
  createdAt: instant('created_at'),
  updatedAt: instant('updated_at'),
});

const CHANGEABLE_OF_TEMPLATES = ['name', 'subject', 'html', 'text', 'updatedAt'] as const;

export class TemplateTable {
  readonly #insert;
  readonly #update;
  readonly #delete;
  readonly #find;
  readonly #list;
  readonly #count;

  constructor(
    sql: Sql,
    private readonly rows: Rows,
  ) {
    this.#insert = sql.prepare(`INSERT INTO templates ${templateRow.into()} ON CONFLICT DO NOTHING`);
    this.#update = sql.prepare(
      `UPDATE templates SET ${templateRow.set(CHANGEABLE_OF_TEMPLATES)}
       WHERE id = ? AND NOT EXISTS (SELECT 1 FROM templates AS other WHERE other.name = ? AND other.id <> templates.id)`,
    );
    this.#delete = sql.prepare('DELETE FROM templates WHERE id = ?');
    this.#find = sql.prepare('SELECT * FROM templates WHERE id = ?');
    this.#list = sql.prepare('SELECT * FROM templates ORDER BY seq DESC LIMIT ? OFFSET ?');
    this.#count = sql.prepare('SELECT count(*) FROM templates');
  }

  async insert(template: TemplateRecord): Promise<boolean> {
    return (await this.#insert.run(...templateRow.values(template))) > 0;
  }

  async update(template: TemplateRecord): Promise<boolean> {
    const { id, name } = template;
    return (await this.#update.run(...templateRow.valuesOf(CHANGEABLE_OF_TEMPLATES, template), id, name)) > 0;
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

export const domainRow = new RowMapping<DomainRecord>({
  domain: text('domain'),
  status: oneOf('status', ['pending', 'verified']),
  dkimVerified: bit('dkim_verified'),
  spfVerified: bit('spf_verified'),
  dmarcVerified: bit('dmarc_verified'),
  verificationToken: text('verification_token'),
  dkimSelector: text('dkim_selector'),
  dkimPrivateKey: text('dkim_private_key'),
  dkimPublicKey: text('dkim_public_key'),
  createdAt: instant('created_at'),
});

const CHANGEABLE_OF_DOMAINS = ['status', 'dkimVerified', 'spfVerified', 'dmarcVerified'] as const;

export class DomainTable {
  readonly #insert;
  readonly #update;
  readonly #delete;
  readonly #find;
  readonly #list;

  constructor(
    sql: Sql,
    private readonly rows: Rows,
  ) {
    this.#insert = sql.prepare(`INSERT INTO domains ${domainRow.into()} ON CONFLICT DO NOTHING`);
    this.#update = sql.prepare(`UPDATE domains SET ${domainRow.set(CHANGEABLE_OF_DOMAINS)} WHERE domain = ?`);
    this.#delete = sql.prepare('DELETE FROM domains WHERE domain = ?');
    this.#find = sql.prepare('SELECT * FROM domains WHERE domain = ?');
    this.#list = sql.prepare('SELECT * FROM domains ORDER BY seq DESC');
  }

  async insert(domain: DomainRecord): Promise<boolean> {
    return (await this.#insert.run(...domainRow.values(domain))) > 0;
  }

  async update(domain: DomainRecord): Promise<void> {
    this.#update.send(...domainRow.valuesOf(CHANGEABLE_OF_DOMAINS, domain), domain.domain);
  }

  async delete(domain: string): Promise<void> {
    this.#delete.send(domain);
  }

  async find(domain: string): Promise<DomainRecord | undefined> {
    return this.rows.one('domains', () => this.#find.get(domain), domainRow.read);
  }

  async list(): Promise<DomainRecord[]> {
    return this.rows.all('domains', () => this.#list.all(), domainRow.read);
  }
}
