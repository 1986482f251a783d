import type Database from 'better-sqlite3';
import type { ServiceWarning } from '../../../../contract/vocabulary/warnings.js';
import type { Attachment, AttachmentInfo, NewAttachment } from '../../../../core/model/contents.js';
import type {
  DueRecipient,
  Email,
  EmailFilter,
  EmailHead,
  EmailState,
  EmailWithoutBodies,
  NewEmail,
  Recipient,
  StoredRecipient,
} from '../../../../core/model/emails.js';
import type { Page, Paged } from '../../../../core/model/pages.js';
import type { RecipientState, StatusChange, Transaction } from '../../../../core/transaction.js';
import { memoized } from '../../memoized.js';
import { conditionsOf } from '../../rows/email-filter.js';
import {
  attachmentRow,
  emailRow,
  headRow,
  readAttachment,
  readAttachmentInfo,
  readEmailWarning,
  readEmailWithoutBodies,
  readHead,
  readState,
  readStoredEmail,
  stateRow,
} from '../../rows/emails.js';
import { KEY_MAX } from '../../rows/keys.js';
import type { RowReader } from '../../rows/reader.js';
import { RowQuery } from '../../rows/row-query.js';
import type { ContentTable } from './contents.js';
import { RecipientTable } from './recipients.js';

const highest = (table: string, key: string) =>
  `(SELECT coalesce(max(${key}), 0) FROM ${table} WHERE ${key} < ${KEY_MAX})`;

/**
 * SQL for the number of the next email. A received message takes a number before it becomes an email. Ignores rows
 * above the range that svc reads, or every later row would be above it too.
 */
export const NEXT_SEQ = `1 + max(0, ${highest('emails', 'seq')}, ${highest('received', 'email_seq')})`;

/** Stores emails with their recipients, tags and attachments. */
export class EmailTable implements Record<keyof Transaction['emails'], unknown> {
  readonly #insert;
  readonly #recipients;
  readonly #deleteAt;
  readonly #isPlaceholder;
  readonly #insertTag;
  readonly #insertAttachment;
  readonly #find;
  readonly #state;
  readonly #attachments;
  readonly #attachment;
  readonly #refers;
  readonly #refersToBodies;
  readonly #findWithoutBodies;
  readonly #warn;
  readonly #warnings;
  readonly #countByStatus;
  readonly #delete;
  /** The statements of lists by their conditions. */
  readonly #lists = new Map<string, ListQueries>();
  /** The statements of status changes by the changed fields. */
  readonly #updates = new Map<string, Database.Statement>();

  constructor(
    private readonly db: Database.Database,
    private readonly rows: RowReader,
    private readonly contents: ContentTable,
  ) {
    const bodies = ['text', 'text_key', 'text_size', 'html', 'html_key', 'html_size'];
    this.#insert = db.prepare(`INSERT INTO emails ${emailRow.into(bodies, { seq: `coalesce(?, ${NEXT_SEQ})` })}`);
    this.#recipients = new RecipientTable(db, rows);
    this.#isPlaceholder = db
      .prepare('SELECT 1 FROM unparsed WHERE seq = (SELECT seq FROM emails WHERE id = ?)')
      .pluck();
    this.#deleteAt = db.prepare('DELETE FROM emails WHERE seq = ?');
    this.#insertTag = db.prepare('INSERT OR IGNORE INTO tags (tag, email_seq) VALUES (?, ?)');
    this.#insertAttachment = db.prepare(
      `INSERT INTO attachments ${attachmentRow.into(['email_seq', 'position', 'size', 'content', 'content_key'])}`,
    );
    this.#find = new RowQuery(db, 'SELECT * FROM emails WHERE id = ?');
    this.#state = new RowQuery(db, `SELECT seq, ${stateRow.names} FROM emails WHERE id = ?`);
    this.#attachments = new RowQuery(
      db,
      `SELECT email_seq, position, size, ${attachmentRow.names} FROM attachments
       WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY position`,
    );
    this.#attachment = new RowQuery(
      db,
      'SELECT * FROM attachments WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND position = ?',
    );
    this.#refersToBodies = db.prepare('SELECT 1 FROM emails WHERE seq = ? AND (text_key = ? OR html_key = ?)');
    this.#findWithoutBodies = new RowQuery(db, `SELECT seq, ${emailRow.names} FROM emails WHERE id = ?`);
    this.#refers = db.prepare('SELECT 1 FROM attachments WHERE email_seq = ? AND position = ? AND content_key = ?');
    this.#warn = db.prepare(
      'INSERT INTO email_warnings (email_seq, code, path, text) VALUES ((SELECT seq FROM emails WHERE id = ?), ?, ?, ?)',
    );
    this.#warnings = new RowQuery(
      db,
      'SELECT * FROM email_warnings WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY seq',
    );
    this.#countByStatus = db.prepare('SELECT status, count(*) FROM emails GROUP BY status').raw();
    this.#delete = db.prepare('DELETE FROM emails WHERE id = ?');
  }

  async insert(email: Email, recipients: Recipient[], attachments: NewAttachment[]): Promise<void> {
    this.#insertAt(null, email, recipients, attachments);
  }

  async insertParsed(
    seq: number,
    email: NewEmail,
    recipients: Recipient[],
    attachments: NewAttachment[],
  ): Promise<void> {
    this.#insertAt(seq, email, recipients, attachments);
  }

  #insertAt(place: number | null, email: NewEmail, recipients: Recipient[], attachments: NewAttachment[]): void {
    const text = this.contents.textColumnsOf(email.text);
    const html = this.contents.textColumnsOf(email.html);
    const values = emailRow.values(email);
    values.push(text.text, text.key, text.size, html.text, html.key, html.size, place);
    const { lastInsertRowid: seq } = this.#insert.run(...values);
    this.#recipients.insert(seq, recipients);
    for (const tag of email.tags) this.#insertTag.run(tag, seq);
    attachments.forEach((attachment, position) => {
      const { bytes, key, size } = this.contents.columnsOf(attachment.content);
      this.#insertAttachment.run(...attachmentRow.values(attachment), seq, position, size, bytes, key);
    });
  }

  async deletePlaceholder(seq: number): Promise<void> {
    this.#deleteAt.run(seq);
  }

  async delete(id: string): Promise<boolean> {
    const keys = this.contents.keysOf(id);
    if (this.#delete.run(id).changes === 0) return false;
    for (const key of keys) await this.contents.delete(key);
    return true;
  }

  async setStatus(id: string, changes: StatusChange): Promise<void> {
    const fields = (Object.keys(changes) as (keyof StatusChange)[]).sort();
    const update: Database.Statement = memoized(this.#updates, fields.join(), () =>
      this.db.prepare(`UPDATE emails SET ${emailRow.set(fields)} WHERE id = ?`),
    );
    update.run(...emailRow.valuesOf(fields, changes as Required<StatusChange>), id);
  }

  async setRecipient(id: string, mailbox: string, state: RecipientState): Promise<void> {
    this.#recipients.set(id, mailbox, state);
  }

  async due(until: number, limit: number): Promise<DueRecipient[]> {
    return this.#recipients.due(until, limit);
  }

  async nextDue(): Promise<number | null> {
    return this.#recipients.nextDue();
  }

  async shiftDue(by: number): Promise<void> {
    this.#recipients.shiftDue(by);
  }

  async state(id: string): Promise<EmailState | undefined> {
    return this.rows.one('emails', () => this.#state.get(id), readState);
  }

  async warn(id: string, { code, path, message }: ServiceWarning): Promise<void> {
    this.#warn.run(id, code, path, message);
  }

  async warnings(id: string): Promise<ServiceWarning[]> {
    return this.rows.all('email_warnings', () => this.#warnings.all(id), readEmailWarning);
  }

  async find(id: string): Promise<Email | undefined> {
    const row = this.rows.one('emails', () => this.#find.get(id), readStoredEmail);
    if (!row) return undefined;
    const bodies = await this.contents.readOf('emails', { seq: row.seq }, [row.text, row.html], this.#refersToBodies);
    if (!bodies) return undefined;
    const [text, html] = bodies;
    return { ...row.email, text: text?.toString() ?? row.email.text, html: html?.toString() ?? row.email.html };
  }

  async findWithoutBodies(id: string): Promise<EmailWithoutBodies | undefined> {
    return this.rows.one('emails', () => this.#findWithoutBodies.get(id), readEmailWithoutBodies);
  }

  async isPlaceholder(id: string): Promise<boolean> {
    return this.#isPlaceholder.get(id) !== undefined;
  }

  async list(filter: EmailFilter, page: Page): Promise<Paged<EmailHead>> {
    const { where, values } = conditionsOf(filter);
    const { select, count } = memoized(this.#lists, where, () => prepareList(this.db, where));
    const items = this.rows.all('emails', () => select.all(...values, page.limit, page.offset), readHead);
    return { items, total: count.get(...values) as number };
  }

  async recipients(id: string): Promise<StoredRecipient[]> {
    return this.#recipients.of(id);
  }

  async recipient(id: string, mailbox: string): Promise<StoredRecipient | undefined> {
    return this.#recipients.find(id, mailbox);
  }

  async attachments(id: string): Promise<AttachmentInfo[]> {
    return this.rows.all('attachments', () => this.#attachments.all(id), readAttachmentInfo);
  }

  async attachment(id: string, position: number): Promise<Attachment | undefined> {
    const row = this.rows.one('attachments', () => this.#attachment.get(id, position), readAttachment);
    if (!row) return undefined;
    const contents = await this.contents.readOf(
      'attachments',
      { email_seq: row.seq, position },
      [row.stored],
      this.#refers,
    );
    return contents && { ...row.attachment, content: contents[0] ?? row.attachment.content };
  }

  async countByStatus(): Promise<Map<string, number>> {
    return new Map(this.#countByStatus.all() as [string, number][]);
  }
}

type ListQueries = ReturnType<typeof prepareList>;

function prepareList(db: Database.Database, where: string) {
  return {
    select: new RowQuery(db, `SELECT seq, ${headRow.names} FROM emails ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`),
    count: db.prepare(`SELECT count(*) FROM emails ${where}`).pluck(),
  };
}
