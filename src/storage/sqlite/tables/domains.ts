import type Database from 'better-sqlite3';
import type { DomainRecord } from '../../../core/model/resources.js';
import { bit, instant, oneOf, text } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import type { RowReader } from '../rows/reader.js';
import { RowQuery } from '../rows/row-query.js';
import { falseOnConflict } from '../rows/rows.js';

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

const CHANGEABLE = ['status', 'dkimVerified', 'spfVerified', 'dmarcVerified'] as const;

export class DomainTable {
  readonly #insert;
  readonly #update;
  readonly #delete;
  readonly #find;
  readonly #list;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#insert = db.prepare(`INSERT INTO domains ${domainRow.into()}`);
    this.#update = db.prepare(`UPDATE domains SET ${domainRow.set(CHANGEABLE)} WHERE domain = ?`);
    this.#delete = db.prepare('DELETE FROM domains WHERE domain = ?');
    this.#find = new RowQuery(db, 'SELECT * FROM domains WHERE domain = ?');
    this.#list = new RowQuery(db, 'SELECT * FROM domains ORDER BY seq DESC');
  }

  async insert(domain: DomainRecord): Promise<boolean> {
    return falseOnConflict(() => this.#insert.run(...domainRow.values(domain)));
  }

  async update(domain: DomainRecord): Promise<void> {
    this.#update.run(...domainRow.valuesOf(CHANGEABLE, domain), domain.domain);
  }

  async delete(domain: string): Promise<void> {
    this.#delete.run(domain);
  }

  async find(domain: string): Promise<DomainRecord | undefined> {
    return this.rows.one('domains', () => this.#find.get(domain), domainRow.read);
  }

  async list(): Promise<DomainRecord[]> {
    return this.rows.all('domains', () => this.#list.all(), domainRow.read);
  }
}
