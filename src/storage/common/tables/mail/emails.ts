import type { ServiceWarning } from '../../../../contract/vocabulary/warnings.js';
import type { Attachment, AttachmentInfo, NewAttachment } from '../../../../core/model/contents.js';
import type {
  Deletion,
  DueRecipient,
  Email,
  EmailFilter,
  EmailHead,
  EmailState,
  EmailTags,
  EmailWithoutBodies,
  NewEmail,
  Recipient,
  StoredRecipient,
} from '../../../../core/model/emails.js';
import type { NewJob } from '../../../../core/model/jobs.js';
import type { Page, Paged } from '../../../../core/model/resources.js';
import type { ShownContent } from '../../../../core/model/search.js';
import type { ExpiredQuery } from '../../../../core/reads.js';
import type { RecipientState, StatusChange, Transaction } from '../../../../core/transaction.js';
import type { CurrentChanges } from '../../changes.js';
import { memoized } from '../../listeners.js';
import { COUNTED_COLUMNS, countsOfEmail, countsOfTags, type EmailCount, readCounted } from '../../rows/email-counts.js';
import { emailRow, readEmailWarning, readEmailWithoutBodies, readState, stateRow } from '../../rows/emails.js';
import { IN_SCOPE, scopeOf } from '../../rows/mapping.js';
import { type Rows, type Sql, type Statement, Table } from '../../sql.js';
import type { EventTable } from '../events.js';
import type { SmtpSessionTable } from '../smtp-sessions.js';
import { AttachmentTable, BodyTable } from './bodies.js';
import type { ContentTable } from './contents.js';
import { DeletedEmailTable } from './deleted-emails.js';
import { documentOf } from './documents.js';
import { EmailLists } from './lists.js';
import { RecipientTable, TagTable } from './recipients.js';
import { RetentionQueries } from './retention.js';
import { type SearchEngine, SearchedEmails } from './searched-emails.js';

/** Stores the warnings about emails. */
class WarningTable extends Table {
  readonly #insert = this.sql.prepare(
    'INSERT INTO email_warnings (email_seq, code, path, text) VALUES ((SELECT seq FROM emails WHERE id = ?), ?, ?, ?)',
  );
  readonly #ofEmail = this.sql.prepare(
    'SELECT * FROM email_warnings WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY seq',
  );

  insert(emailId: string, { code, path, message }: ServiceWarning): void {
    this.#insert.send(emailId, code, path, message);
  }

  of(emailId: string): Promise<ServiceWarning[]> {
    return this.rows.all('email_warnings', () => this.#ofEmail.all(emailId), readEmailWarning);
  }
}

/** The logs with entries about emails. */
interface EmailLogs {
  events: Pick<EventTable, 'removeOf'>;
  smtpSessions: Pick<SmtpSessionTable, 'ofEmails' | 'removeUnused'>;
}

const COUNTED = `SELECT ${COUNTED_COLUMNS} FROM emails WHERE`;

/** Stores emails with their recipients, tags and attachments. */
export class EmailTable extends SearchedEmails implements Record<keyof Transaction['emails'], unknown> {
  readonly #insert = this.sql.prepare(`INSERT INTO emails ${emailRow.into(['seq'])}`);
  readonly #recipients = new RecipientTable(this.sql, this.rows);
  readonly #deleteAt = this.sql.prepare('DELETE FROM emails WHERE seq = ?');
  readonly #isParsing = this.sql.prepare('SELECT 1 FROM unparsed WHERE seq = (SELECT seq FROM emails WHERE id = ?)');
  readonly #tags = new TagTable(this.sql);
  readonly #deleted = new DeletedEmailTable(this.sql);
  readonly #bodies;
  readonly #state = this.sql.prepare(`SELECT seq, ${stateRow.names} FROM emails WHERE id = ?`);
  readonly #attachments;
  readonly #findWithoutBodies = this.sql.prepare(`SELECT seq, ${emailRow.names} FROM emails WHERE id = ?`);
  readonly #warnings = new WarningTable(this.sql, this.rows);
  readonly #lists = new EmailLists(this.sql, this.rows);
  readonly #retention = new RetentionQueries(this.sql);
  readonly #counted = this.sql.prepare(`${COUNTED} ${this.among('id', '@ids')} AND ${IN_SCOPE}`);
  readonly #countOfWorkspace = this.sql.prepare(
    'SELECT status, count(*) FROM emails WHERE workspace = ? GROUP BY status',
  );
  readonly #countTagsOfWorkspace = this.sql.prepare(
    'SELECT tag, count(*) FROM emails JOIN tags ON email_seq = seq WHERE workspace = ? GROUP BY tag',
  );
  readonly #countSendersOfWorkspace = this.sql.prepare(
    `SELECT sender_mailbox, count(*) FROM emails WHERE workspace = ?
         GROUP BY sender_mailbox ORDER BY count(*) DESC, sender_mailbox LIMIT ?`,
  );
  readonly #countRead = this.sql.prepare('SELECT count(*) FROM emails WHERE read_at IS NOT NULL');
  readonly #countUnreadOfWorkspace = this.sql.prepare(
    'SELECT count(*) FROM emails WHERE workspace = ? AND read_at IS NULL',
  );
  readonly #countedAt = this.sql.prepare(`${COUNTED} seq = ?`);
  readonly #statusOf = this.sql.prepare('SELECT seq, status FROM emails WHERE id = ?');
  readonly #setTags = this.sql.prepare(`UPDATE emails SET ${emailRow.set(['tags', 'addedTags'])} WHERE id = ?`);
  readonly #deleteReceived = this.sql.prepare(`DELETE FROM received WHERE ${this.among('email_seq')}`);
  readonly #delete = this.sql.prepare(`DELETE FROM emails WHERE ${this.among('seq')}`);
  /** The statements of status changes by the changed fields. */
  readonly #updates = new Map<string, Statement>();

  constructor(
    sql: Sql,
    rows: Rows,
    private readonly contents: ContentTable,
    changes: CurrentChanges,
    search: SearchEngine,
    private readonly logs: EmailLogs,
  ) {
    super(sql, rows, contents, changes, search);
    this.#bodies = new BodyTable(sql, rows, contents);
    this.#attachments = new AttachmentTable(sql, rows, contents);
  }

  async insert(
    email: Email,
    recipients: Recipient[],
    attachments: NewAttachment[],
    shown?: ShownContent,
  ): Promise<void> {
    await this.#insertAt(this.sql.nextEmail(), email, recipients, attachments, shown);
  }

  async insertReceived(
    seq: number,
    email: NewEmail,
    recipients: Recipient[],
    attachments: NewAttachment[],
    shown?: ShownContent,
  ): Promise<void> {
    await this.#insertAt(seq, email, recipients, attachments, shown);
  }

  async #insertAt(
    seq: number,
    email: NewEmail,
    recipients: Recipient[],
    attachments: NewAttachment[],
    shown: ShownContent | undefined,
  ): Promise<void> {
    this.#insert.send(...emailRow.values(email), seq);
    await this.#bodies.insert(seq, email);
    this.#recipients.insert(seq, recipients);
    this.#tags.insert(seq, email);
    await this.#attachments.insert(seq, attachments);
    this.extracts.insert(seq, shown);
    const { text: plain, html: shownHtml } = email;
    if (shown && typeof plain === 'string') {
      const bodies = { text: plain, hasHtml: shownHtml !== '' };
      const names = attachments.map(({ filename }) => filename);
      const rest = { recipients, attachments: names, warnings: [], events: [], extracts: shown };
      this.index.add({ ...documentOf(seq, email), ...bodies, ...rest });
    } else this.index.leaveOut(seq);
    this.changes().emails.push(email.id);
    const { fromMailbox: sender, readAt, html, ...fields } = email;
    const counted = { ...fields, seq, sender, isRead: readAt !== null, hasHtml: html !== '' };
    this.changes().count(countsOfEmail(counted, 1));
  }

  async deleteUnparsed(seq: number): Promise<void> {
    const row = await this.#countedAt.tuple(seq);
    if (!row) return;
    this.changes().count(countsOfEmail(readCounted(row), -1));
    this.#deleteAt.send(seq);
  }

  async delete(ids: readonly string[], deletion?: Deletion, workspace?: string | null): Promise<number> {
    const rows = await this.#counted.tuples({ ids: this.sql.list(ids), scope: scopeOf(workspace) });
    if (rows.length === 0) return 0;
    const emails = rows.map(readCounted);
    const seqs = emails.map(({ seq }) => seq);
    if (deletion) await this.#deleted.keep(seqs, deletion);
    const keys = await this.contents.keysOf(seqs);
    const sessions = deletion ? [] : await this.logs.smtpSessions.ofEmails(seqs);
    this.#deleteReceived.send(this.sql.list(seqs));
    this.#delete.send(this.sql.list(seqs));
    this.removeFromIndex(seqs);
    this.#tags.prune(emails.flatMap(({ tags, addedTags }) => [...tags, ...addedTags]));
    for (const key of keys) await this.contents.delete(key);
    if (!deletion) {
      await this.logs.events.removeOf(emails.map(({ id }) => id));
      this.logs.smtpSessions.removeUnused(sessions);
    }
    const changes = this.changes();
    for (const email of emails) {
      changes.count(countsOfEmail(email, -1));
      changes.emails.push(email.id);
    }
    changes.deletions += emails.length;
    return emails.length;
  }

  async restore(deletion: Deletion, workspace?: string | null): Promise<{ count: number; jobs: NewJob[] }> {
    const restored = await this.#deleted.restore(deletion, workspace);
    const ids = restored.map(({ id }) => id);
    const counted = await this.#counted.tuples({ ids: this.sql.list(ids), scope: null });
    for (const email of counted.map(readCounted)) {
      this.#tags.insert(email.seq, email);
      this.changes().count(countsOfEmail(email, 1));
    }
    for (const { seq, isShown } of restored) {
      if (isShown) this.index.queue(seq);
      else this.index.leaveOut(seq);
    }
    this.changes().emails.push(...ids);
    return { count: restored.length, jobs: restored.flatMap(({ jobs }) => jobs) };
  }

  async keepJob(emailId: string, job: NewJob): Promise<void> {
    await this.#deleted.keepJob(emailId, job);
  }

  async purge({ id, at }: Deletion): Promise<void> {
    const deletions = await this.#deleted.deletions();
    if (!deletions.some((each) => each.id === id && each.at === at)) return;
    const { keys, emailIds, sessions } = await this.#deleted.purge(id);
    for (const key of keys) await this.contents.delete(key);
    await this.logs.events.removeOf(emailIds);
    this.logs.smtpSessions.removeUnused(sessions);
  }

  async deletions(): Promise<Deletion[]> {
    return this.#deleted.deletions();
  }

  async expired(query: ExpiredQuery): Promise<string[]> {
    return this.#retention.expired(query);
  }

  async setStatus(id: string, changes: StatusChange): Promise<void> {
    const fields = (Object.keys(changes) as (keyof StatusChange)[]).sort();
    const update = memoized(this.#updates, fields.join(), () =>
      this.sql.prepare(`UPDATE emails SET ${emailRow.set(fields)} WHERE id = ?`),
    );
    this.changes().emails.push(id);
    if (changes.status !== undefined) await this.#countStatus(id, changes.status);
    update.send(...emailRow.valuesOf(fields, changes as Required<StatusChange>), id);
  }

  /** Records that an email is counted under another status. */
  async #countStatus(id: string, status: string): Promise<void> {
    const [seq, before] = (await this.#statusOf.tuple<[number, string]>(id)) ?? [];
    if (seq === undefined || before === undefined || before === status) return;
    this.changes().count([
      { field: 'status', value: before, seq, by: -1 },
      { field: 'status', value: status, seq, by: 1 },
    ]);
  }

  async setTags(id: string, { tags, addedTags }: EmailTags): Promise<boolean> {
    const [row] = await this.#counted.tuples({ ids: this.sql.list([id]), scope: null });
    if (!row) return false;
    const before = readCounted(row);
    const { seq } = before;
    const after = { tags: [...tags], addedTags: [...new Set(addedTags)].filter((tag) => !tags.includes(tag)) };
    this.#setTags.send(...emailRow.valuesOf(['tags', 'addedTags'], after), id);
    this.#tags.deleteOf(seq);
    this.#tags.insert(seq, after);
    this.#tags.prune([...before.tags, ...before.addedTags]);
    this.changes().count([...countsOfTags(before, -1), ...countsOfTags({ seq, ...after }, 1)]);
    this.changes().emails.push(id);
    return true;
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

  async isParsing(id: string): Promise<boolean> {
    return (await this.#isParsing.value(id)) !== undefined;
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
    if (workspace === undefined) return this.#lists.counts.byValue('status');
    return new Map(await this.#countOfWorkspace.tuples<[string, number]>(workspace));
  }

  async countBySender(limit: number, workspace?: string): Promise<Map<string, number>> {
    if (workspace === undefined) return this.#lists.counts.mostFrequent('sender', limit);
    return new Map(await this.#countSendersOfWorkspace.tuples<[string, number]>(workspace, limit));
  }

  async countByTag(workspace?: string): Promise<Map<string, number>> {
    if (workspace === undefined) {
      const counts = await this.#lists.counts.byValue('tag');
      for (const [tag, count] of await this.#lists.counts.byValue('added_tag')) {
        counts.set(tag, (counts.get(tag) ?? 0) + count);
      }
      return counts;
    }
    return new Map(await this.#countTagsOfWorkspace.tuples<[string, number]>(workspace));
  }

  async countUnread(workspace?: string): Promise<number> {
    if (workspace !== undefined) return (await this.#countUnreadOfWorkspace.value<number>(workspace)) ?? 0;
    const all = [...(await this.#lists.counts.byValue('status')).values()].reduce((sum, count) => sum + count, 0);
    return all - ((await this.#countRead.value<number>()) ?? 0);
  }

  /** Writes the changed counts of a commit at the end of its transaction. */
  writeCounts(changes: readonly EmailCount[]): void {
    this.#lists.counts.add(changes);
  }
}
