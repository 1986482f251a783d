import type Database from 'better-sqlite3';
import type { DomainRecord } from '../../core/model.js';
import { bit, type Row, unlessTaken } from './rows.js';

export class DomainTable {
  readonly #insert;
  readonly #update;
  readonly #delete;
  readonly #find;
  readonly #list;

  constructor(db: Database.Database) {
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
    return unlessTaken(() => this.#insert.run(bound(domain)));
  }

  async update(domain: DomainRecord): Promise<void> {
    const { domain: name, status, dkimVerified, spfVerified, dmarcVerified } = bound(domain);
    this.#update.run({ domain: name, status, dkimVerified, spfVerified, dmarcVerified });
  }

  async delete(domain: string): Promise<void> {
    this.#delete.run(domain);
  }

  async find(domain: string): Promise<DomainRecord | undefined> {
    const row = this.#find.get(domain) as Row | undefined;
    return row && readDomain(row);
  }

  async list(): Promise<DomainRecord[]> {
    return (this.#list.all() as Row[]).map(readDomain);
  }
}

function bound(domain: DomainRecord) {
  return {
    ...domain,
    dkimVerified: bit(domain.dkimVerified),
    spfVerified: bit(domain.spfVerified),
    dmarcVerified: bit(domain.dmarcVerified),
  };
}

function readDomain(row: Row): DomainRecord {
  return {
    domain: row.domain as string,
    status: row.status as DomainRecord['status'],
    dkimVerified: row.dkim_verified === 1,
    spfVerified: row.spf_verified === 1,
    dmarcVerified: row.dmarc_verified === 1,
    verificationToken: row.verification_token as string,
    dkimSelector: row.dkim_selector as string,
    dkimPrivateKey: row.dkim_private_key as string,
    dkimPublicKey: row.dkim_public_key as string,
    createdAt: row.created_at as number,
  };
}
