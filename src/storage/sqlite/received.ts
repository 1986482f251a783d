import type Database from 'better-sqlite3';
import type { ReceivedMessage, UnparsedMessage } from '../../core/model.js';
import { NEXT_SEQ } from './emails.js';
import { json, parseJson, type Row } from './rows.js';

/** Bounds how much is held in memory at once to be parsed. */
const UNPARSED_BYTES = 16 * 1024 * 1024;

/** Messages as SMTP delivered them, and which of them are not emails yet. */
export class ReceivedTable {
  readonly #insert;
  readonly #insertUnparsed;
  readonly #takeUnparsed;
  readonly #unparsed;
  readonly #unparsedRange;
  readonly #ofEmail;

  constructor(db: Database.Database) {
    this.#insert = db.prepare(
      `INSERT INTO received (email_seq, mail_from, recipients, bytes) VALUES (${NEXT_SEQ}, ?, ?, ?)`,
    );
    this.#insertUnparsed = db.prepare('INSERT INTO unparsed (seq, id, created_at) VALUES (?, ?, ?)');
    this.#takeUnparsed = db.prepare('DELETE FROM unparsed WHERE seq = ? AND id = ?');
    this.#unparsed = db.prepare(
      `SELECT seq, id, created_at AS createdAt, mail_from AS mailFrom, recipients, bytes
       FROM unparsed JOIN received ON email_seq = seq ORDER BY seq LIMIT ?`,
    );
    this.#unparsedRange = db.prepare(
      'SELECT (SELECT min(seq) FROM unparsed) AS first, (SELECT max(seq) FROM unparsed) AS last',
    );
    this.#ofEmail = db.prepare(
      'SELECT mail_from, recipients, bytes FROM received WHERE email_seq = (SELECT seq FROM emails WHERE id = ?)',
    );
  }

  async insert({ id, createdAt, mailFrom, recipients, bytes }: Omit<UnparsedMessage, 'seq'>): Promise<void> {
    const { lastInsertRowid: seq } = this.#insert.run(mailFrom, json(recipients), bytes);
    this.#insertUnparsed.run(seq, id, createdAt);
  }

  async takeUnparsed({ seq, id }: Pick<UnparsedMessage, 'seq' | 'id'>): Promise<boolean> {
    return this.#takeUnparsed.run(seq, id).changes > 0;
  }

  async unparsed(limit: number): Promise<UnparsedMessage[]> {
    const messages: UnparsedMessage[] = [];
    let bytes = 0;
    for (const row of this.#unparsed.iterate(limit) as Iterable<Row & UnparsedMessage>) {
      messages.push({ ...row, recipients: parseJson(row.recipients) });
      bytes += row.bytes.byteLength;
      if (bytes > UNPARSED_BYTES) break;
    }
    return messages;
  }

  async unparsedRange(): Promise<{ first: number; last: number } | undefined> {
    const range = this.#unparsedRange.get() as { first: number | null; last: number };
    return range.first === null ? undefined : { first: range.first, last: range.last };
  }

  async ofEmail(emailId: string): Promise<ReceivedMessage | undefined> {
    const row = this.#ofEmail.get(emailId) as { mail_from: string; recipients: string; bytes: Buffer } | undefined;
    return row && { mailFrom: row.mail_from, recipients: parseJson(row.recipients), bytes: row.bytes };
  }
}
