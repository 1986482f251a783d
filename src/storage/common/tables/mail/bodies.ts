import type { Attachment, AttachmentInfo, NewAttachment } from '../../../../core/model/contents.js';
import type { Email, NewEmail } from '../../../../core/model/emails.js';
import {
  attachmentRow,
  readAttachment,
  readAttachmentInfo,
  readStoredEmail,
  type readText,
} from '../../rows/emails.js';
import { type Rows, type Sql, type Statement, Table } from '../../sql.js';
import type { ContentTable } from './contents.js';

/** SQL for whether the bodies of an email are in contents with these keys. */
export const REFERS_TO_BODIES = 'SELECT 1 FROM bodies WHERE email_seq = ? AND (text_key = ? OR html_key = ?)';

/** Returns the text of a row, also one that is stored in chunks; undefined if it is incomplete. */
export async function readTextOf(
  { seq, text, heldText }: ReturnType<typeof readText>,
  contents: ContentTable,
  refers: Statement,
): Promise<string | undefined> {
  if (heldText === null) return text;
  const read = await contents.readOf('emails', { seq }, [heldText, null], refers);
  return read?.[0]?.toString();
}

/** Stores the texts and the HTML of emails. */
export class BodyTable extends Table {
  readonly #insert = this.sql.prepare(
    `INSERT INTO bodies (text, text_key, text_size, html, html_key, html_size, email_seq)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  // An email without bodies is set aside like one with a bad body.
  readonly #find = this.sql.prepare('SELECT * FROM emails LEFT JOIN bodies ON email_seq = seq WHERE id = ?');
  readonly #refers = this.sql.prepare(REFERS_TO_BODIES);

  constructor(
    sql: Sql,
    rows: Rows,
    private readonly contents: ContentTable,
  ) {
    super(sql, rows);
  }

  async insert(emailSeq: number, email: Pick<NewEmail, 'text' | 'html'>): Promise<void> {
    const text = await this.contents.textColumnsOf(email.text);
    const html = await this.contents.columnsOf(typeof email.html === 'string' ? Buffer.from(email.html) : email.html);
    this.#insert.send(text.text, text.key, text.size, html.bytes, html.key, html.size, emailSeq);
  }

  /** Returns an email with its bodies. */
  async find(id: string): Promise<Email | undefined> {
    const row = await this.rows.one('emails', () => this.#find.get(id), readStoredEmail);
    if (!row) return undefined;
    const { email, seq, text, heldText, heldHtml } = row;
    const read = await this.contents.readOf('emails', { seq }, [heldText, heldHtml], this.#refers);
    return read && { ...email, text: read[0]?.toString() ?? text, html: read[1]?.toString() ?? '' };
  }
}

/** Stores the attachments of emails. */
export class AttachmentTable extends Table {
  readonly #insert = this.sql.prepare(
    `INSERT INTO attachments ${attachmentRow.into(['email_seq', 'position', 'size', 'content', 'content_key'])}`,
  );
  readonly #ofEmail = this.sql.prepare(`SELECT email_seq, position, size, ${attachmentRow.names} FROM attachments
       WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY position`);
  readonly #find = this.sql.prepare(
    'SELECT * FROM attachments WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND position = ?',
  );
  readonly #refers = this.sql.prepare(
    'SELECT 1 FROM attachments WHERE email_seq = ? AND position = ? AND content_key = ?',
  );

  constructor(
    sql: Sql,
    rows: Rows,
    private readonly contents: ContentTable,
  ) {
    super(sql, rows);
  }

  async insert(emailSeq: number, attachments: readonly NewAttachment[]): Promise<void> {
    for (const [position, attachment] of attachments.entries()) {
      const { bytes, key, size } = await this.contents.columnsOf(attachment.content);
      this.#insert.send(...attachmentRow.values(attachment), emailSeq, position, size, bytes, key);
    }
  }

  of(emailId: string): Promise<AttachmentInfo[]> {
    return this.rows.all('attachments', () => this.#ofEmail.all(emailId), readAttachmentInfo);
  }

  async find(emailId: string, position: number): Promise<Attachment | undefined> {
    const row = await this.rows.one('attachments', () => this.#find.get(emailId, position), readAttachment);
    if (!row) return undefined;
    const contents = await this.contents.readOf(
      'attachments',
      { email_seq: row.seq, position },
      [row.held],
      this.#refers,
    );
    const [content] = contents ?? [];
    return content ? { ...row.attachment, content } : undefined;
  }
}
