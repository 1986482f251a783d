import type { DomainRecord } from '../../../core/model/resources.js';
import { bit, instant, oneOf, text } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import { Table } from '../sql.js';

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

export class DomainTable extends Table {
  readonly #insert = this.sql.prepare(`INSERT INTO domains ${domainRow.into()} ON CONFLICT DO NOTHING`);
  readonly #update = this.sql.prepare(`UPDATE domains SET ${domainRow.set(CHANGEABLE)} WHERE domain = ?`);
  readonly #delete = this.sql.prepare('DELETE FROM domains WHERE domain = ?');
  readonly #find = this.sql.prepare('SELECT * FROM domains WHERE domain = ?');
  readonly #list = this.sql.prepare('SELECT * FROM domains ORDER BY seq DESC');

  async insert(domain: DomainRecord): Promise<boolean> {
    return (await this.#insert.run(...domainRow.values(domain))) > 0;
  }

  async update(domain: DomainRecord): Promise<void> {
    this.#update.send(...domainRow.valuesOf(CHANGEABLE, domain), domain.domain);
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
