import type Database from 'better-sqlite3';
import type { ReceivedMessage, UnparsedMessage } from '../../core/model.js';
import type { Columns } from './columns.js';
import { NEXT_SEQ } from './emails.js';
import type { RowReader } from './row-reader.js';
import { json, type Row } from './rows.js';

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

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#insert = db.prepare(
      `INSERT INTO received (email_seq, mail_from, recipients, bytes) VALUES (${NEXT_SEQ}, ?, ?, ?)`,
    );
    this.#insertUnparsed = db.prepare('INSERT INTO unparsed (seq, id, created_at) VALUES (?, ?, ?)');
    this.#takeUnparsed = db.prepare('DELETE FROM unparsed WHERE seq = ? AND id = ?');
    this.#unparsed = db.prepare(
      `SELECT seq, id, created_at, email_seq, mail_from, recipients, bytes
       FROM unparsed JOIN received ON email_seq = seq ORDER BY seq LIMIT ?`,
    );
    this.#unparsedRange = db.prepare(
      'SELECT (SELECT min(seq) FROM unparsed) AS first, (SELECT max(seq) FROM unparsed) AS last',
    );
    this.#ofEmail = db.prepare('SELECT * FROM received WHERE email_seq = (SELECT seq FROM emails WHERE id = ?)');
  }

  async insert({ id, createdAt, mailFrom, recipients, bytes }: Omit<UnparsedMessage, 'seq'>): Promise<void> {
    const { lastInsertRowid: seq } = this.#insert.run(mailFrom, json(recipients), bytes);
    this.#insertUnparsed.run(seq, id, createdAt);
  }

  async takeUnparsed({ seq, id }: Pick<UnparsedMessage, 'seq' | 'id'>): Promise<boolean> {
    return this.#takeUnparsed.run(seq, id).changes > 0;
  }

  async unparsed(limit: number): Promise<UnparsedMessage[]> {
    return this.rows.all('received', () => this.#nextUnparsed(limit), readUnparsed);
  }

  #nextUnparsed(limit: number): Row[] {
    const rows: Row[] = [];
    let bytes = 0;
    for (const row of this.#unparsed.iterate(limit) as Iterable<Row>) {
      rows.push(row);
      bytes += (row.bytes as Buffer).byteLength;
      if (bytes > UNPARSED_BYTES) break;
    }
    return rows;
  }

  async unparsedRange(): Promise<{ first: number; last: number } | undefined> {
    const range = this.#unparsedRange.get() as { first: number | null; last: number };
    return range.first === null ? undefined : { first: range.first, last: range.last };
  }

  async ofEmail(emailId: string): Promise<ReceivedMessage | undefined> {
    return this.rows.one('received', () => this.#ofEmail.get(emailId), readReceived);
  }
}

export function readEnvelope(row: Columns): Omit<ReceivedMessage, 'bytes'> {
  return { mailFrom: row.text('mail_from'), recipients: row.list('recipients') };
}

function readReceived(row: Columns): ReceivedMessage {
  return { ...readEnvelope(row), bytes: row.bytes('bytes') };
}

/** Of a row of `unparsed`. */
export function readPlace(row: Columns): Pick<UnparsedMessage, 'seq' | 'id' | 'createdAt'> {
  return { seq: row.integer('seq'), id: row.text('id'), createdAt: row.instant('created_at') };
}

function readUnparsed(row: Columns): UnparsedMessage {
  return { ...readPlace(row), ...readReceived(row) };
}
