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
import type {
  EmailMatcher,
  Extracts,
  SearchDocument,
  SearchPage,
  SearchResult,
  UnextractedEmail,
  UnextractedQuery,
} from '../../../../core/model/search.js';
import type { ExpiredQuery } from '../../../../core/reads.js';
import type { RecipientState, StatusChange, Transaction } from '../../../../core/transaction.js';
import type { CurrentChanges } from '../../changes.js';
import { memoized } from '../../memoized.js';
import { emailRow, readEmailWithoutBodies, readState, stateRow } from '../../rows/emails.js';
import type { RowReader } from '../../rows/reader.js';
import { RowQuery } from '../../rows/row-query.js';
import { AttachmentTable } from './attachments.js';
import { BodyTable } from './bodies.js';
import type { ContentTable } from './contents.js';
import { DocumentReader } from './documents.js';
import { ExtractTable } from './extracts.js';
import { EmailLists } from './lists.js';
import { NEXT_SEQ } from './next-seq.js';
import { RecipientTable } from './recipients.js';
import { RetentionQueries } from './retention.js';
import { EmailSearch } from './search.js';
import { WarningTable } from './warnings.js';

/** Stores emails with their recipients, tags and attachments. */
export class EmailTable implements Record<keyof Transaction['emails'], unknown> {
  readonly #insert;
  readonly #recipients;
  readonly #deleteAt;
  readonly #isPlaceholder;
  readonly #insertTag;
  readonly #bodies;
  readonly #state;
  readonly #attachments;
  readonly #extracts;
  readonly #idOf;
  readonly #setRead;
  readonly #documents;
  readonly #search;
  readonly #findWithoutBodies;
  readonly #warnings;
  readonly #lists;
  readonly #retention;
  readonly #deleteReceived;
  readonly #delete;
  /** The statements of status changes by the changed fields. */
  readonly #updates = new Map<string, Database.Statement>();

  constructor(
    private readonly db: Database.Database,
    private readonly rows: RowReader,
    private readonly contents: ContentTable,
    private readonly changes: CurrentChanges,
  ) {
    this.#insert = db.prepare(`INSERT INTO emails ${emailRow.into([], { seq: `coalesce(?, ${NEXT_SEQ})` })}`);
    this.#bodies = new BodyTable(db, rows, contents);
    this.#attachments = new AttachmentTable(db, rows, contents);
    this.#extracts = new ExtractTable(db, rows);
    this.#idOf = db.prepare('SELECT id FROM emails WHERE seq = ?').pluck();
    this.#setRead = db.prepare('UPDATE emails SET read_at = ? WHERE id = ?');
    this.#documents = new DocumentReader(db, rows, contents);
    this.#search = new EmailSearch(db, rows, this.#documents);
    this.#recipients = new RecipientTable(db, rows);
    this.#isPlaceholder = db
      .prepare('SELECT 1 FROM unparsed WHERE seq = (SELECT seq FROM emails WHERE id = ?)')
      .pluck();
    this.#deleteAt = db.prepare('DELETE FROM emails WHERE seq = ?');
    this.#insertTag = db.prepare('INSERT OR IGNORE INTO tags (tag, email_seq) VALUES (?, ?)');
    this.#state = new RowQuery(db, `SELECT seq, ${stateRow.names} FROM emails WHERE id = ?`);
    this.#findWithoutBodies = new RowQuery(db, `SELECT seq, ${emailRow.names} FROM emails WHERE id = ?`);
    this.#warnings = new WarningTable(db, rows);
    this.#lists = new EmailLists(db, rows);
    this.#retention = new RetentionQueries(db);
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
    for (const tag of email.tags) this.#insertTag.run(tag, seq);
    this.#attachments.insert(seq, attachments);
    this.#extracts.queue(seq);
    this.changes().emails.push(email.id);
  }

  async deletePlaceholder(seq: number): Promise<void> {
    this.#deleteAt.run(seq);
  }

  async delete(id: string): Promise<boolean> {
    const keys = this.contents.keysOf(id);
    this.#deleteReceived.run(id);
    if (this.#delete.run(id).changes === 0) return false;
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
    update.run(...emailRow.valuesOf(fields, changes as Required<StatusChange>), id);
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

  async setRead(id: string, readAt: number | null): Promise<boolean> {
    this.changes().emails.push(id);
    return this.#setRead.run(readAt, id).changes > 0;
  }

  async setExtracts(seq: number, extracts: Extracts): Promise<void> {
    const id = this.#idOf.get(seq) as string | undefined;
    if (id === undefined) return;
    this.#extracts.set(seq, extracts);
    this.changes().emails.push(id);
  }

  async unextracted(query: UnextractedQuery): Promise<UnextractedEmail[]> {
    return this.#extracts.unextracted(query);
  }

  async unextractedRange(): Promise<{ first: number; last: number } | undefined> {
    return this.#extracts.range();
  }

  async lastSeq(): Promise<number> {
    return this.#search.lastSeq();
  }

  async seqSince(capturedAt: number): Promise<number> {
    return this.#search.seqSince(capturedAt);
  }

  async documents(ids: readonly string[]): Promise<SearchDocument[]> {
    return this.#documents.ofIds(ids);
  }

  async search(matcher: EmailMatcher, page: SearchPage): Promise<SearchResult> {
    return this.#search.run(matcher, page);
  }

  async countByStatus(): Promise<Map<string, number>> {
    return this.#lists.countByStatus();
  }
}
