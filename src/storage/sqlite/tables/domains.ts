import type Database from 'better-sqlite3';
import type { DomainRecord } from '../../../core/model.js';
import type { Columns } from '../rows/columns.js';
import type { RowReader } from '../rows/reader.js';
import { bit, falseOnConflict } from '../rows/rows.js';

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
    this.#insert = db.prepare(
      `INSERT INTO domains (domain, status, dkim_verified, spf_verified, dmarc_verified, verification_token,
         dkim_selector, dkim_private_key, dkim_public_key, created_at)
       VALUES (@domain, @status, @dkimVerified, @spfVerified, @dmarcVerified, @verificationToken,
         @dkimSelector, @dkimPrivateKey, @dkimPublicKey, @createdAt)`,
    );
    this.#update = db.prepare(
      `UPDATE domains SET status = @status, dkim_verified = @dkimVerified, spf_verified = @spfVerified,
         dmarc_verified = @dmarcVerified WHERE domain = @domain`,
    );
    this.#delete = db.prepare('DELETE FROM domains WHERE domain = ?');
    this.#find = db.prepare('SELECT * FROM domains WHERE domain = ?');
    this.#list = db.prepare('SELECT * FROM domains ORDER BY seq DESC');
  }

  async insert(domain: DomainRecord): Promise<boolean> {
    return falseOnConflict(() => this.#insert.run(toRow(domain)));
  }

  async update(domain: DomainRecord): Promise<void> {
    const { domain: name, status, dkimVerified, spfVerified, dmarcVerified } = toRow(domain);
    this.#update.run({ domain: name, status, dkimVerified, spfVerified, dmarcVerified });
  }

  async delete(domain: string): Promise<void> {
    this.#delete.run(domain);
  }

  async find(domain: string): Promise<DomainRecord | undefined> {
    return this.rows.one('domains', () => this.#find.get(domain), readDomain);
  }

  async list(): Promise<DomainRecord[]> {
    return this.rows.all('domains', () => this.#list.all(), readDomain);
  }
}

function toRow(domain: DomainRecord) {
  return {
    ...domain,
    dkimVerified: bit(domain.dkimVerified),
    spfVerified: bit(domain.spfVerified),
    dmarcVerified: bit(domain.dmarcVerified),
  };
}

export function readDomain(row: Columns): DomainRecord {
  return {
    domain: row.text('domain'),
    status: row.oneOf('status', ['pending', 'verified']),
    dkimVerified: row.bit('dkim_verified'),
    spfVerified: row.bit('spf_verified'),
    dmarcVerified: row.bit('dmarc_verified'),
    verificationToken: row.text('verification_token'),
    dkimSelector: row.text('dkim_selector'),
    dkimPrivateKey: row.text('dkim_private_key'),
    dkimPublicKey: row.text('dkim_public_key'),
    createdAt: row.instant('created_at'),
  };
}
