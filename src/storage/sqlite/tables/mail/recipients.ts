import type Database from 'better-sqlite3';
import type { DueRecipient, Recipient, StoredRecipient } from '../../../../core/model/emails.js';
import type { RecipientState } from '../../../../core/transaction.js';
import { dueRow, readDueRecipient, readRecipient, recipientRow } from '../../rows/emails.js';
import type { RowReader } from '../../rows/reader.js';
import { RowQuery } from '../../rows/row-query.js';

/** Stores the recipients of emails, with the first steps that are due. */
export class RecipientTable {
  readonly #insert;
  readonly #ofEmail;
  readonly #find;
  readonly #set;
  readonly #due;
  readonly #nextDue;
  readonly #shiftDue;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#insert = db.prepare(`INSERT INTO recipients ${recipientRow.into(['email_seq', 'position'])}`);
    this.#ofEmail = new RowQuery(
      db,
      'SELECT * FROM recipients WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY position',
    );
    this.#find = new RowQuery(
      db,
      'SELECT * FROM recipients WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND mailbox = ?',
    );
    this.#set = db.prepare(
      `UPDATE recipients SET ${recipientRow.set(['status', 'dueAt', 'steps'])}
       WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND mailbox = ?`,
    );
    this.#due = new RowQuery(
      db,
      `SELECT email_seq, ${dueRow.names} FROM recipients JOIN emails ON emails.seq = recipients.email_seq
       WHERE due_at <= ? ORDER BY due_at, email_seq LIMIT ?`,
    );
    this.#nextDue = db.prepare('SELECT min(due_at) FROM recipients WHERE due_at IS NOT NULL').pluck();
    this.#shiftDue = db.prepare('UPDATE recipients SET due_at = due_at + ? WHERE due_at IS NOT NULL');
  }

  insert(emailSeq: number | bigint, recipients: readonly Recipient[]): void {
    recipients.forEach((recipient, position) => {
      this.#insert.run(...recipientRow.values(recipient), emailSeq, position);
    });
  }

  of(emailId: string): StoredRecipient[] {
    return this.rows.all('recipients', () => this.#ofEmail.all(emailId), readRecipient);
  }

  find(emailId: string, mailbox: string): StoredRecipient | undefined {
    return this.rows.one('recipients', () => this.#find.get(emailId, mailbox), readRecipient);
  }

  set(emailId: string, mailbox: string, state: RecipientState): void {
    this.#set.run(...recipientRow.valuesOf(['status', 'dueAt', 'steps'], state), emailId, mailbox);
  }

  due(until: number, limit: number): DueRecipient[] {
    return this.rows.all('recipients', () => this.#due.all(until, limit), readDueRecipient);
  }

  nextDue(): number | null {
    return this.#nextDue.get() as number | null;
  }

  shiftDue(by: number): void {
    this.#shiftDue.run(by);
  }
}
