import type {
  NewReceived,
  ReceivedMessage,
  ReceivedSummary,
  UnparsedMessage,
} from '../../../../core/model/received.js';
import { json } from '../../rows/columns.js';
import { decompress } from '../../rows/held-content.js';
import { type Received, readReceived, readSummary, readUnparsed } from '../../rows/received.js';
import { type Rows, type Sql, Table } from '../../sql.js';
import type { ContentTable } from './contents.js';

/** Bytes of a message that contain its header: few servers accept a longer one. */
const HEAD_BYTES = 64 * 1024;

const IS_OF_EMAIL = 'seq = ? AND seq = (SELECT seq FROM emails WHERE id = ?)';

/** Stores messages as received over SMTP, and the list of those that are not parsed yet. */
export class ReceivedTable extends Table {
  readonly #insert = this.sql.prepare(
    `INSERT INTO received (email_seq, mail_from, recipients, bytes, content_key, size, dsn, session_id, key_id, import_key)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  readonly #insertUnparsed = this.sql.prepare('INSERT INTO unparsed (seq, recipient_count, attempts) VALUES (?, ?, ?)');
  readonly #imported = this.sql.prepare(
    'SELECT (SELECT id FROM emails WHERE seq = email_seq) FROM received WHERE import_key = ?',
  );
  readonly #forgetKey = this.sql.prepare('UPDATE received SET import_key = NULL WHERE import_key = ?');
  readonly #claimUnparsed = this.sql.prepare(`DELETE FROM unparsed WHERE ${IS_OF_EMAIL}`);
  readonly #countAttempt = this.sql.prepare(`UPDATE unparsed SET attempts = attempts + ? WHERE ${IS_OF_EMAIL}`);
  readonly #unparsed = this.sql.prepare(
    `SELECT unparsed.seq AS seq, attempts, id, created_at, captured_at, workspace, email_seq, mail_from,
         received.recipients AS recipients, received.size AS size
       FROM emails JOIN unparsed ON unparsed.seq = emails.seq JOIN received ON email_seq = emails.seq WHERE id = ?`,
  );
  readonly #unparsedRecipients = this.sql.prepare(
    `SELECT coalesce(sum(recipient_count), 0) FROM unparsed JOIN emails ON emails.seq = unparsed.seq
     WHERE coalesce(emails.workspace, '') = ?`,
  );
  readonly #unparsedRange = this.sql.prepare(
    'SELECT (SELECT min(seq) FROM unparsed) AS first, (SELECT max(seq) FROM unparsed) AS last',
  );
  readonly #bytesOf = this.sql.prepare('SELECT * FROM received WHERE email_seq = ?');
  readonly #headOf = this.sql.prepare(
    `SELECT substr(CASE WHEN content_key IS NULL THEN bytes ELSE (
           SELECT chunks.bytes FROM chunks WHERE chunks.content_key = received.content_key AND position = 0
         ) END, 1, ?), CASE WHEN content_key IS NULL AND length(bytes) < size THEN size END
       FROM received WHERE email_seq = ?`,
  );
  readonly #ofEmail = this.sql.prepare(
    'SELECT * FROM received WHERE email_seq = (SELECT seq FROM emails WHERE id = ?)',
  );
  readonly #envelopeOf =
    this.sql.prepare(`SELECT email_seq, mail_from, recipients, dsn, size, session_id, key_id FROM received
       WHERE email_seq = (SELECT seq FROM emails WHERE id = ?)`);
  readonly #refers = this.sql.prepare('SELECT 1 FROM received WHERE email_seq = ? AND content_key = ?');

  constructor(
    sql: Sql,
    rows: Rows,
    private readonly contents: ContentTable,
  ) {
    super(sql, rows);
  }

  async insert({ mailFrom, recipients, bytes, dsn, sessionId, keyId, importKey }: NewReceived): Promise<number> {
    const stored = await this.contents.columnsOf(bytes);
    // A message whose email was set aside keeps its key, and is imported again.
    if (importKey !== undefined) this.#forgetKey.send(importKey);
    const seq = this.sql.nextEmail();
    this.#insert.send(
      seq,
      mailFrom,
      json(recipients),
      stored.bytes,
      stored.key,
      stored.size,
      dsn ? json(dsn) : null,
      sessionId ?? null,
      keyId ?? null,
      importKey ?? null,
    );
    return seq;
  }

  async addUnparsed(seq: number, { sentTo, attempts }: { sentTo: number; attempts: number }): Promise<void> {
    this.#insertUnparsed.send(seq, sentTo, attempts);
  }

  async imported(key: string): Promise<string | undefined> {
    return (await this.#imported.value<string | null>(key)) ?? undefined;
  }

  async claimUnparsed({ seq, id }: Pick<UnparsedMessage, 'seq' | 'id'>): Promise<boolean> {
    return (await this.#claimUnparsed.run(seq, id)) > 0;
  }

  async countAttempt({ seq, id }: Pick<UnparsedMessage, 'seq' | 'id'>, by: 1 | -1): Promise<void> {
    this.#countAttempt.send(by, seq, id);
  }

  async unparsed(emailId: string): Promise<UnparsedMessage | undefined> {
    return this.rows.one('unparsed', () => this.#unparsed.get(emailId), readUnparsed);
  }

  async unparsedRecipients(workspace: string | null): Promise<number> {
    return (await this.#unparsedRecipients.value<number>(workspace ?? '')) ?? 0;
  }

  async unparsedRange(): Promise<{ first: number; last: number } | undefined> {
    const [first, last] = (await this.#unparsedRange.tuple<[number | null, number | null]>()) ?? [null, null];
    return first === null || last === null ? undefined : { first, last };
  }

  async bytesOf(seq: number): Promise<Uint8Array | undefined> {
    return (await this.#whole(await this.rows.one('received', () => this.#bytesOf.get(seq), readReceived)))?.bytes;
  }

  async headOf(seq: number): Promise<Uint8Array | undefined> {
    const [bytes, size] = (await this.#headOf.tuple<[Buffer, number | null]>(HEAD_BYTES, seq)) ?? [];
    return bytes && typeof size === 'number' ? decompress({ bytes, size }) : bytes;
  }

  async ofEmail(emailId: string): Promise<ReceivedMessage | undefined> {
    return this.#whole(await this.rows.one('received', () => this.#ofEmail.get(emailId), readReceived));
  }

  async envelopeOf(emailId: string): Promise<ReceivedSummary | undefined> {
    return this.rows.one('received', () => this.#envelopeOf.get(emailId), readSummary);
  }

  async #whole(row: Received | undefined): Promise<ReceivedMessage | undefined> {
    if (!row) return undefined;
    const contents = await this.contents.readOf('received', { email_seq: row.seq }, [row.held], this.#refers);
    const [bytes] = contents ?? [];
    return bytes ? { ...row.message, bytes } : undefined;
  }
}
