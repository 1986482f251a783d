import type Database from 'better-sqlite3';
import type { NewReceived, ReceivedMessage, UnparsedHead, UnparsedMessage } from '../../core/model.js';
import type { UnparsedQuery } from '../../core/transaction.js';
import { NEXT_SEQ } from './emails.js';
import { json, parseJson, type Row } from './rows.js';

/** Messages as SMTP delivered them, and which of them are not parsed yet. */
export class ReceivedTable {
  readonly #insert;
  readonly #insertUnparsed;
  readonly #takeUnparsed;
  readonly #unparsed;
  readonly #unparsedRange;
  readonly #isUnparsed;
  readonly #bytesOf;
  readonly #ofEmail;

  constructor(db: Database.Database) {
    this.#insert = db.prepare(
      `INSERT INTO received (email_seq, mail_from, recipients, bytes) VALUES (${NEXT_SEQ}, ?, ?, ?)`,
    );
    this.#insertUnparsed = db.prepare('INSERT INTO unparsed (seq, id, created_at) VALUES (?, ?, ?)');
    this.#takeUnparsed = db.prepare('DELETE FROM unparsed WHERE seq = ? AND id = ?');
    // The length of a blob is known without reading it.
    this.#unparsed = db.prepare(
      `SELECT seq, id, created_at AS createdAt, mail_from AS mailFrom, recipients, length(bytes) AS size,
         CASE WHEN length(bytes) <= ? THEN bytes END AS bytes
       FROM unparsed JOIN received ON email_seq = seq
       WHERE seq NOT IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT ?`,
    );
    this.#unparsedRange = db.prepare(
      'SELECT (SELECT min(seq) FROM unparsed) AS first, (SELECT max(seq) FROM unparsed) AS last',
    );
    this.#isUnparsed = db.prepare('SELECT 1 FROM unparsed WHERE seq = ? AND id = ?').pluck();
    this.#bytesOf = db.prepare('SELECT bytes FROM received WHERE email_seq = ?').pluck();
    this.#ofEmail = db.prepare(
      'SELECT mail_from, recipients, bytes FROM received WHERE email_seq = (SELECT seq FROM emails WHERE id = ?)',
    );
  }

  async insert({ id, createdAt, mailFrom, recipients, bytes }: NewReceived): Promise<void> {
    const { lastInsertRowid: seq } = this.#insert.run(mailFrom, json(recipients), bytes);
    this.#insertUnparsed.run(seq, id, createdAt);
  }

  async takeUnparsed({ seq, id }: Pick<UnparsedHead, 'seq' | 'id'>): Promise<boolean> {
    return this.#takeUnparsed.run(seq, id).changes > 0;
  }

  async unparsed({ limit, except, bytesUpTo }: UnparsedQuery): Promise<UnparsedMessage[]> {
    const rows = this.#unparsed.all(bytesUpTo, json(except), limit) as (Row & UnparsedMessage)[];
    return rows.map((row) => ({ ...row, recipients: parseJson(row.recipients) }));
  }

  async unparsedRange(): Promise<{ first: number; last: number } | undefined> {
    const range = this.#unparsedRange.get() as { first: number | null; last: number };
    return range.first === null ? undefined : { first: range.first, last: range.last };
  }

  async isUnparsed({ seq, id }: Pick<UnparsedHead, 'seq' | 'id'>): Promise<boolean> {
    return this.#isUnparsed.get(seq, id) !== undefined;
  }

  async bytesOf(seq: number): Promise<Uint8Array | undefined> {
    return this.#bytesOf.get(seq) as Buffer | undefined;
  }

  async ofEmail(emailId: string): Promise<ReceivedMessage | undefined> {
    const row = this.#ofEmail.get(emailId) as { mail_from: string; recipients: string; bytes: Buffer } | undefined;
    return row && { mailFrom: row.mail_from, recipients: parseJson(row.recipients), bytes: row.bytes };
  }
}
