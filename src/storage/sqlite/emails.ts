import type Database from 'better-sqlite3';
import type {
  Attachment,
  AttachmentInfo,
  Email,
  EmailFilter,
  EmailHead,
  Page,
  Paged,
  Recipient,
} from '../../core/model.js';
import type { StatusChange, Transaction } from '../../core/transaction.js';
import { bit, json, parseJson, type Row } from './rows.js';

/** The place of what comes next: received messages take theirs before they are emails. */
export const NEXT_SEQ = `1 + max((SELECT coalesce(max(seq), 0) FROM emails), (SELECT coalesce(max(email_seq), 0) FROM received))`;
const HEAD_COLUMNS = 'id, recipients, sender, subject, status, created_at, delivered_at';

const STATUS_COLUMNS: Record<keyof StatusChange, string> = {
  status: 'status',
  sentAt: 'sent_at',
  scheduledAt: 'scheduled_at',
  deliveredAt: 'delivered_at',
  openedAt: 'opened_at',
  opensCount: 'opens_count',
  clicksCount: 'clicks_count',
  bounceReason: 'bounce_reason',
};

/** Emails with their recipients, tags and attachments. */
export class EmailTable implements Record<keyof Transaction['emails'], unknown> {
  readonly #insert;
  readonly #insertRecipient;
  readonly #deleteAt;
  readonly #isPlaceholder;
  readonly #insertTag;
  readonly #insertAttachment;
  readonly #find;
  readonly #recipients;
  readonly #recipient;
  readonly #recipientStatus;
  readonly #attachments;
  readonly #attachment;
  readonly #warn;
  readonly #warnings;
  readonly #countSent;
  /** Statements of which there are many forms: prepared when first needed. */
  readonly #prepared = new Map<string, Database.Statement>();

  constructor(private readonly db: Database.Database) {
    this.#insert = db.prepare(
      `INSERT INTO emails (seq, id, origin, status, sender, sender_mailbox, recipients, subject, reply_to, template_id,
         variables, tags, track_opens, track_clicks, created_at, scheduled_at, sent_at, delivered_at, opened_at,
         opens_count, clicks_count, bounce_reason, parse_error, text, html)
       VALUES (coalesce(?, ${NEXT_SEQ}), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertRecipient = db.prepare(
      'INSERT INTO recipients (email_seq, mailbox, position, kind, address, status) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#isPlaceholder = db
      .prepare('SELECT 1 FROM unparsed WHERE seq = (SELECT seq FROM emails WHERE id = ?)')
      .pluck();
    this.#deleteAt = db.prepare('DELETE FROM emails WHERE seq = ?');
    this.#insertTag = db.prepare('INSERT OR IGNORE INTO tags (tag, email_seq) VALUES (?, ?)');
    this.#insertAttachment = db.prepare(
      `INSERT INTO attachments (email_seq, position, filename, content_type, content_id, disposition, size, content)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#find = db.prepare('SELECT * FROM emails WHERE id = ?');
    this.#recipients = db.prepare(
      `SELECT kind, address, mailbox, status FROM recipients
       WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY position`,
    );
    this.#recipient = db.prepare(
      `SELECT kind, address, mailbox, status FROM recipients
       WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND mailbox = ?`,
    );
    this.#recipientStatus = db.prepare(
      'UPDATE recipients SET status = ? WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND mailbox = ?',
    );
    this.#attachments = db.prepare(
      `SELECT filename, content_type AS contentType, content_id AS contentId, disposition, size FROM attachments
       WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY position`,
    );
    this.#attachment = db.prepare(
      `SELECT filename, content_type AS contentType, content_id AS contentId, disposition, content FROM attachments
       WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND position = ?`,
    );
    this.#warn = db.prepare(
      'INSERT INTO email_warnings (email_seq, text) VALUES ((SELECT seq FROM emails WHERE id = ?), ?)',
    );
    this.#warnings = db
      .prepare('SELECT text FROM email_warnings WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY seq')
      .pluck();
    this.#countSent = db
      .prepare("SELECT count(*) FROM emails WHERE created_at >= ? AND created_at < ? AND origin = 'rest'")
      .pluck();
  }

  async insert(email: Email, recipients: Recipient[], attachments: Attachment[]): Promise<void> {
    this.#insertAt(null, email, recipients, attachments);
  }

  async insertParsed(seq: number, email: Email, recipients: Recipient[], attachments: Attachment[]): Promise<void> {
    this.#insertAt(seq, email, recipients, attachments);
  }

  #insertAt(place: number | null, email: Email, recipients: Recipient[], attachments: Attachment[]): void {
    const { lastInsertRowid: seq } = this.#insert.run(
      place,
      email.id,
      email.origin,
      email.status,
      email.from,
      email.fromMailbox,
      email.to,
      email.subject,
      email.replyTo,
      email.templateId,
      email.variables && json(email.variables),
      json(email.tags),
      bit(email.trackOpens),
      bit(email.trackClicks),
      email.createdAt,
      email.scheduledAt,
      email.sentAt,
      email.deliveredAt,
      email.openedAt,
      email.opensCount,
      email.clicksCount,
      email.bounceReason,
      email.parseError,
      email.text,
      email.html,
    );
    recipients.forEach(({ mailbox, kind, address, status }, position) => {
      this.#insertRecipient.run(seq, mailbox, position, kind, address, status);
    });
    for (const tag of email.tags) this.#insertTag.run(tag, seq);
    this.#attach(seq, attachments);
  }

  async deletePlaceholder(seq: number): Promise<void> {
    this.#deleteAt.run(seq);
  }

  async setStatus(id: string, changes: StatusChange): Promise<void> {
    const names = (Object.keys(changes) as (keyof StatusChange)[]).sort();
    const set = names.map((name) => `${STATUS_COLUMNS[name]} = ?`).join(', ');
    this.#prepare(`UPDATE emails SET ${set} WHERE id = ?`).run(...names.map((name) => changes[name]), id);
  }

  async setRecipientStatus(id: string, mailbox: string, status: Recipient['status']): Promise<void> {
    this.#recipientStatus.run(status, id, mailbox);
  }

  async warn(id: string, text: string): Promise<void> {
    this.#warn.run(id, text);
  }

  async warnings(id: string): Promise<string[]> {
    return this.#warnings.all(id) as string[];
  }

  async find(id: string): Promise<Email | undefined> {
    const row = this.#find.get(id) as Row | undefined;
    return row && readEmail(row);
  }

  async isPlaceholder(id: string): Promise<boolean> {
    return this.#isPlaceholder.get(id) !== undefined;
  }

  async list(filter: EmailFilter, page: Page): Promise<Paged<EmailHead>> {
    const { where, values } = conditionsOf(filter);
    const total = this.#prepare(`SELECT count(*) AS total FROM emails ${where}`).get(...values) as { total: number };
    const rows = this.#prepare(`SELECT ${HEAD_COLUMNS} FROM emails ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`).all(
      ...values,
      page.limit,
      page.offset,
    ) as Row[];
    return { items: rows.map(readHead), total: total.total };
  }

  async recipients(id: string): Promise<Recipient[]> {
    return this.#recipients.all(id) as Recipient[];
  }

  async recipient(id: string, mailbox: string): Promise<Recipient | undefined> {
    return this.#recipient.get(id, mailbox) as Recipient | undefined;
  }

  async attachments(id: string): Promise<AttachmentInfo[]> {
    return this.#attachments.all(id) as AttachmentInfo[];
  }

  async attachment(id: string, index: number): Promise<Attachment | undefined> {
    return this.#attachment.get(id, index) as Attachment | undefined;
  }

  async countSent(from: number, before: number): Promise<number> {
    return this.#countSent.get(from, before) as number;
  }

  #attach(seq: number | bigint, attachments: Attachment[]): void {
    attachments.forEach(({ filename, contentType, contentId, disposition, content }, position) => {
      this.#insertAttachment.run(
        seq,
        position,
        filename,
        contentType,
        contentId,
        disposition,
        content.byteLength,
        content,
      );
    });
  }

  #prepare(sql: string): Database.Statement {
    const statement = this.#prepared.get(sql) ?? this.db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

function conditionsOf(filter: EmailFilter): { where: string; values: unknown[] } {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, ...bound: unknown[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (filter.status !== undefined) add('status = ?', filter.status);
  if (filter.fromDate !== undefined) add('created_at >= ?', filter.fromDate);
  if (filter.toDate !== undefined) add('created_at <= ?', filter.toDate);
  if (filter.sender !== undefined) add('sender_mailbox = ?', filter.sender);
  if (filter.recipient !== undefined)
    add('seq IN (SELECT email_seq FROM recipients WHERE mailbox = ?)', filter.recipient);
  if (filter.tags?.length) {
    // One condition however many tags: SQLite bounds the depth of an expression.
    const tags = [...new Set(filter.tags)];
    add(
      `seq IN (SELECT email_seq FROM tags WHERE tag IN (SELECT value FROM json_each(?))
         GROUP BY email_seq HAVING count(*) = ?)`,
      json(tags),
      tags.length,
    );
  }
  return { where: conditions.length ? `WHERE ${conditions.join(' AND ')}` : '', values };
}

function readHead(row: Row): EmailHead {
  return {
    id: row.id as string,
    to: row.recipients as string,
    from: row.sender as string,
    subject: row.subject as string,
    status: row.status as Email['status'],
    createdAt: row.created_at as number,
    deliveredAt: row.delivered_at as number | null,
  };
}

function readEmail(row: Row): Email {
  return {
    ...readHead(row),
    origin: row.origin as Email['origin'],
    fromMailbox: row.sender_mailbox as string,
    replyTo: row.reply_to as string | null,
    templateId: row.template_id as string | null,
    variables: row.variables === null ? null : parseJson(row.variables),
    tags: parseJson(row.tags),
    trackOpens: row.track_opens === 1,
    trackClicks: row.track_clicks === 1,
    scheduledAt: row.scheduled_at as number | null,
    sentAt: row.sent_at as number | null,
    openedAt: row.opened_at as number | null,
    opensCount: row.opens_count as number,
    clicksCount: row.clicks_count as number,
    bounceReason: row.bounce_reason as string | null,
    parseError: row.parse_error as string | null,
    text: row.text as string,
    html: row.html as string,
  };
}
