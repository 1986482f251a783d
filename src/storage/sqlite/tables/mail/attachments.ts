import type Database from 'better-sqlite3';
import type { Attachment, AttachmentInfo, NewAttachment } from '../../../../core/model/contents.js';
import { attachmentRow, readAttachment, readAttachmentInfo } from '../../rows/emails.js';
import type { RowReader } from '../../rows/reader.js';
import { RowQuery } from '../../rows/row-query.js';
import type { ContentTable } from './contents.js';

/** Stores the attachments of emails. */
export class AttachmentTable {
  readonly #insert;
  readonly #ofEmail;
  readonly #find;
  readonly #refers;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
    private readonly contents: ContentTable,
  ) {
    this.#insert = db.prepare(
      `INSERT INTO attachments ${attachmentRow.into(['email_seq', 'position', 'size', 'content', 'content_key'])}`,
    );
    this.#ofEmail = new RowQuery(
      db,
      `SELECT email_seq, position, size, ${attachmentRow.names} FROM attachments
       WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY position`,
    );
    this.#find = new RowQuery(
      db,
      'SELECT * FROM attachments WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND position = ?',
    );
    this.#refers = db.prepare('SELECT 1 FROM attachments WHERE email_seq = ? AND position = ? AND content_key = ?');
  }

  insert(emailSeq: number | bigint, attachments: readonly NewAttachment[]): void {
    attachments.forEach((attachment, position) => {
      const { bytes, key, size } = this.contents.columnsOf(attachment.content);
      this.#insert.run(...attachmentRow.values(attachment), emailSeq, position, size, bytes, key);
    });
  }

  of(emailId: string): AttachmentInfo[] {
    return this.rows.all('attachments', () => this.#ofEmail.all(emailId), readAttachmentInfo);
  }

  async find(emailId: string, position: number): Promise<Attachment | undefined> {
    const row = this.rows.one('attachments', () => this.#find.get(emailId, position), readAttachment);
    if (!row) return undefined;
    const contents = await this.contents.readOf(
      'attachments',
      { email_seq: row.seq, position },
      [row.stored],
      this.#refers,
    );
    return contents && { ...row.attachment, content: contents[0] ?? row.attachment.content };
  }
}
