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
import type { ExpiredQuery } from '../../../../core/reads.js';
import type { RecipientState, StatusChange, Transaction } from '../../../../core/transaction.js';
import type { CurrentChanges } from '../../changes.js';
import { memoized } from '../../memoized.js';
import { COUNTED_COLUMNS, countsOfEmail, type EmailCount, readCounted } from '../../rows/email-counts.js';
import { emailRow, readEmailWithoutBodies, readState, stateRow } from '../../rows/emails.js';
import type { RowReader } from '../../rows/reader.js';
import { RowQuery } from '../../rows/row-query.js';
import { AttachmentTable } from './attachments.js';
import { BodyTable } from './bodies.js';
import type { ContentTable } from './contents.js';
import { EmailLists } from './lists.js';
import { NEXT_SEQ } from './next-seq.js';
import { RecipientTable } from './recipients.js';
import { RetentionQueries } from './retention.js';
import { SearchedEmails } from './searched-emails.js';
import { TagTable } from './tags.js';
import { WarningTable } from './warnings.js';

/** Stores emails with their recipients, tags and attachments. */
export class EmailTable extends SearchedEmails implements Record<keyof Transaction['emails'], unknown> {
  readonly #insert;
  readonly #recipients;
  readonly #deleteAt;
  readonly #isPlaceholder;
  readonly #tags;
  readonly #bodies;
  readonly #state;
  readonly #attachments;
  readonly #findWithoutBodies;
  readonly #warnings;
  readonly #lists;
  readonly #retention;
  readonly #counted;
  readonly #countOfWorkspace;
  readonly #countRead;
  readonly #countUnreadOfWorkspace;
  readonly #countedAt;
  readonly #statusOf;
  readonly #deleteReceived;
  readonly #delete;
  /** The statements of status changes by the changed fields. */
  readonly #updates = new Map<string, Database.Statement>();

  constructor(
    private readonly db: Database.Database,
    private readonly rows: RowReader,
    private readonly contents: ContentTable,
    changes: CurrentChanges,
  ) {
    super(db, rows, contents, changes);
    this.#insert = db.prepare(`INSERT INTO emails ${emailRow.into([], { seq: `coalesce(?, ${NEXT_SEQ})` })}`);
    this.#bodies = new BodyTable(db, rows, contents);
    this.#attachments = new AttachmentTable(db, rows, contents);
    this.#recipients = new RecipientTable(db, rows);
    this.#isPlaceholder = db
      .prepare('SELECT 1 FROM unparsed WHERE seq = (SELECT seq FROM emails WHERE id = ?)')
      .pluck();
    this.#deleteAt = db.prepare('DELETE FROM emails WHERE seq = ?');
    this.#tags = new TagTable(db);
    this.#state = new RowQuery(db, `SELECT seq, ${stateRow.names} FROM emails WHERE id = ?`);
    this.#findWithoutBodies = new RowQuery(db, `SELECT seq, ${emailRow.names} FROM emails WHERE id = ?`);
    this.#warnings = new WarningTable(db, rows);
    this.#lists = new EmailLists(db, rows);
    this.#countOfWorkspace = db
      .prepare('SELECT status, count(*) FROM emails WHERE workspace = ? GROUP BY status')
      .raw();
    this.#countRead = db.prepare('SELECT count(*) FROM emails WHERE read_at IS NOT NULL').pluck();
    this.#countUnreadOfWorkspace = db
      .prepare('SELECT count(*) FROM emails WHERE workspace = ? AND read_at IS NULL')
      .pluck();
    this.#retention = new RetentionQueries(db);
    const counted = `SELECT ${COUNTED_COLUMNS} FROM emails WHERE`;
    this.#counted = db.prepare(`${counted} id = ?`).raw();
    this.#countedAt = db.prepare(`${counted} seq = ?`).raw();
    this.#statusOf = db.prepare('SELECT seq, status FROM emails WHERE id = ?').raw();
    this.#deleteReceived = db.prepare('DELETE FROM received WHERE email_seq = (SELECT seq FROM emails WHERE id = ?)');
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
    const values = emailRow.values(email);
    values.push(place);
    const { lastInsertRowid: seq } = this.#insert.run(...values);
    this.#bodies.insert(seq, email);
    this.#recipients.insert(seq, recipients);
    for (const tag of email.tags) this.#tags.insert(seq, tag);
    this.#attachments.insert(seq, attachments);
    this.extracts.queue(seq);
    this.changes().emails.push(email.id);
    const { fromMailbox: sender, readAt, html, ...fields } = email;
    const counted = { ...fields, seq: Number(seq), sender, isRead: readAt !== null, hasHtml: html !== '' };
    this.changes().count(countsOfEmail(counted, 1));
  }

  async deletePlaceholder(seq: number): Promise<void> {
    const row = this.#countedAt.get(seq);
    if (row) this.changes().count(countsOfEmail(readCounted(row), -1));
    this.#deleteAt.run(seq);
  }

  async delete(id: string): Promise<boolean> {
    const keys = this.contents.keysOf(id);
    const row = this.#counted.get(id);
    this.#deleteReceived.run(id);
    if (this.#delete.run(id).changes === 0) return false;
    if (row) {
      const counted = readCounted(row);
      this.changes().count(countsOfEmail(counted, -1));
      this.removeFromIndex(counted.seq);
      for (const tag of counted.tags) this.#tags.prune(tag);
    }
    for (const key of keys) await this.contents.delete(key);
    this.changes().emails.push(id);
    this.changes().deletions += 1;
    return true;
  }

  async expired(query: ExpiredQuery): Promise<string[]> {
    return this.#retention.expired(query);
  }

  async setStatus(id: string, changes: StatusChange): Promise<void> {
    const fields = (Object.keys(changes) as (keyof StatusChange)[]).sort();
    const update: Database.Statement = memoized(this.#updates, fields.join(), () =>
      this.db.prepare(`UPDATE emails SET ${emailRow.set(fields)} WHERE id = ?`),
    );
    this.changes().emails.push(id);
    if (changes.status !== undefined) this.#countStatus(id, changes.status);
    update.run(...emailRow.valuesOf(fields, changes as Required<StatusChange>), id);
  }

  /** Records that an email is counted under another status. */
  #countStatus(id: string, status: string): void {
    const [seq, before] = (this.#statusOf.get(id) ?? []) as [number?, string?];
    if (seq === undefined || before === undefined || before === status) return;
    this.changes().count([
      { field: 'status', value: before, seq, by: -1 },
      { field: 'status', value: status, seq, by: 1 },
    ]);
  }

  async setRecipient(id: string, mailbox: string, state: RecipientState): Promise<void> {
    this.changes().emails.push(id);
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

  async warn(id: string, warning: ServiceWarning): Promise<void> {
    this.changes().emails.push(id);
    this.#warnings.insert(id, warning);
  }

  async warnings(id: string): Promise<ServiceWarning[]> {
    return this.#warnings.of(id);
  }

  async find(id: string): Promise<Email | undefined> {
    return this.#bodies.find(id);
  }

  async findWithoutBodies(id: string): Promise<EmailWithoutBodies | undefined> {
    return this.rows.one('emails', () => this.#findWithoutBodies.get(id), readEmailWithoutBodies);
  }

  async isPlaceholder(id: string): Promise<boolean> {
    return this.#isPlaceholder.get(id) !== undefined;
  }

  async list(filter: EmailFilter, page: Page): Promise<Paged<EmailHead>> {
    return this.#lists.list(filter, page);
  }

  async recipients(id: string): Promise<StoredRecipient[]> {
    return this.#recipients.of(id);
  }

  async recipient(id: string, mailbox: string): Promise<StoredRecipient | undefined> {
    return this.#recipients.find(id, mailbox);
  }

  async attachments(id: string): Promise<AttachmentInfo[]> {
    return this.#attachments.of(id);
  }

  async attachment(id: string, position: number): Promise<Attachment | undefined> {
    return this.#attachments.find(id, position);
  }

  async countByStatus(workspace?: string): Promise<Map<string, number>> {
    if (workspace === undefined) return this.#lists.counts.byStatus();
    return new Map(this.#countOfWorkspace.all(workspace) as [string, number][]);
  }

  async countUnread(workspace?: string): Promise<number> {
    if (workspace !== undefined) return this.#countUnreadOfWorkspace.get(workspace) as number;
    const all = [...this.#lists.counts.byStatus().values()].reduce((sum, count) => sum + count, 0);
    return all - (this.#countRead.get() as number);
  }

  /** Writes the changed counts of a commit at the end of its transaction. */
  writeCounts(changes: readonly EmailCount[]): void {
    this.#lists.counts.add(changes);
  }
}
