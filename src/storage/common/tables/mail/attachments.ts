import type { Attachment, AttachmentInfo, NewAttachment } from '../../../../core/model/contents.js';
import { attachmentRow, readAttachment, readAttachmentInfo } from '../../rows/emails.js';
import type { Rows, Sql } from '../../sql.js';
import type { ContentTable } from './contents.js';

/** Stores the attachments of emails. */
export class AttachmentTable {
  readonly #insert;
  readonly #ofEmail;
  readonly #find;
  readonly #refers;

  constructor(
    sql: Sql,
    private readonly rows: Rows,
    private readonly contents: ContentTable,
  ) {
    this.#insert = sql.prepare(
      `INSERT INTO attachments ${attachmentRow.into(['email_seq', 'position', 'size', 'content', 'content_key'])}`,
    );
    this.#ofEmail = sql.prepare(`SELECT email_seq, position, size, ${attachmentRow.names} FROM attachments
       WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY position`);
    this.#find = sql.prepare(
      'SELECT * FROM attachments WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND position = ?',
    );
    this.#refers = sql.prepare('SELECT 1 FROM attachments WHERE email_seq = ? AND position = ? AND content_key = ?');
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
