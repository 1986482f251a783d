import type { DueRecipient, Recipient, StoredRecipient } from '../../../../core/model/emails.js';
import type { RecipientState } from '../../../../core/transaction.js';
import { dueRow, readDueRecipient, readRecipient, recipientRow } from '../../rows/emails.js';
import type { Rows, Sql } from '../../sql.js';

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
    sql: Sql,
    private readonly rows: Rows,
  ) {
    this.#insert = sql.prepare(`INSERT INTO recipients ${recipientRow.into(['email_seq', 'position'])}`);
    this.#ofEmail = sql.prepare(
      'SELECT * FROM recipients WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY position',
    );
    this.#find = sql.prepare(
      'SELECT * FROM recipients WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND mailbox = ?',
    );
    this.#set = sql.prepare(
      `UPDATE recipients SET ${recipientRow.set(['status', 'dueAt', 'steps'])}
       WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND mailbox = ?`,
    );
    this.#due =
      sql.prepare(`SELECT email_seq, ${dueRow.names} FROM recipients JOIN emails ON emails.seq = recipients.email_seq
       WHERE due_at <= ? ORDER BY due_at, email_seq LIMIT ?`);
    this.#nextDue = sql.prepare('SELECT min(due_at) FROM recipients WHERE due_at IS NOT NULL');
    this.#shiftDue = sql.prepare('UPDATE recipients SET due_at = due_at + ? WHERE due_at IS NOT NULL');
  }

  insert(emailSeq: number, recipients: readonly Recipient[]): void {
    recipients.forEach((recipient, position) => {
      this.#insert.send(...recipientRow.values(recipient), emailSeq, position);
    });
  }

  of(emailId: string): Promise<StoredRecipient[]> {
    return this.rows.all('recipients', () => this.#ofEmail.all(emailId), readRecipient);
  }

  find(emailId: string, mailbox: string): Promise<StoredRecipient | undefined> {
    return this.rows.one('recipients', () => this.#find.get(emailId, mailbox), readRecipient);
  }

  set(emailId: string, mailbox: string, state: RecipientState): void {
    this.#set.send(...recipientRow.valuesOf(['status', 'dueAt', 'steps'], state), emailId, mailbox);
  }

  due(until: number, limit: number): Promise<DueRecipient[]> {
    return this.rows.all('recipients', () => this.#due.all(until, limit), readDueRecipient);
  }

  async nextDue(): Promise<number | null> {
    return (await this.#nextDue.value<number | null>()) ?? null;
  }

  shiftDue(by: number): void {
    this.#shiftDue.send(by);
  }
}
