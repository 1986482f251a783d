import type { DueRecipient, EmailTags, Recipient, StoredRecipient } from '../../../../core/model/emails.js';
import type { RecipientState } from '../../../../core/transaction.js';
import { dueRow, readDueRecipient, readRecipient, recipientRow } from '../../rows/emails.js';
import { tagForm } from '../../search/texts.js';
import { Statements, Table } from '../../sql.js';

/** Stores the recipients of emails, with the first steps that are due. */
export class RecipientTable extends Table {
  readonly #insert = this.sql.prepare(`INSERT INTO recipients ${recipientRow.into(['email_seq', 'position'])}`);
  readonly #ofEmail = this.sql.prepare(
    'SELECT * FROM recipients WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY position',
  );
  readonly #find = this.sql.prepare(
    'SELECT * FROM recipients WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND mailbox = ?',
  );
  readonly #set = this.sql.prepare(
    `UPDATE recipients SET ${recipientRow.set(['status', 'dueAt', 'steps'])}
       WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) AND mailbox = ?`,
  );
  readonly #due =
    this.sql.prepare(`SELECT email_seq, ${dueRow.names} FROM recipients JOIN emails ON emails.seq = recipients.email_seq
       WHERE due_at <= ? ORDER BY due_at, email_seq LIMIT ?`);
  readonly #nextDue = this.sql.prepare('SELECT min(due_at) FROM recipients WHERE due_at IS NOT NULL');
  readonly #shiftDue = this.sql.prepare('UPDATE recipients SET due_at = due_at + ? WHERE due_at IS NOT NULL');

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

/** Stores the tags of emails, and the forms in which searches compare them. */
export class TagTable extends Statements {
  readonly #insert = this.sql.prepare(
    'INSERT INTO tags (tag, email_seq, added) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  readonly #delete = this.sql.prepare('DELETE FROM tags WHERE email_seq = ?');
  readonly #insertForm = this.sql.prepare('INSERT INTO tag_forms (form, tag) VALUES (?, ?) ON CONFLICT DO NOTHING');
  readonly #prune = this.sql.prepare(
    `DELETE FROM tag_forms WHERE ${this.among('form')}
         AND NOT EXISTS (SELECT 1 FROM tags WHERE tags.tag = tag_forms.tag)`,
  );

  /** Deletes the forms of those of these tags that no email has. */
  prune(tags: readonly string[]): void {
    if (tags.length > 0) this.#prune.send(this.sql.list([...new Set(tags.map(tagForm))]));
  }

  /** Removes the tags of an email, whose forms the caller prunes. */
  deleteOf(emailSeq: number): void {
    this.#delete.send(emailSeq);
  }

  insert(emailSeq: number, { tags, addedTags }: EmailTags): void {
    for (const tag of [...tags, ...addedTags]) {
      this.#insert.send(tag, emailSeq, tags.includes(tag) ? 0 : 1);
      this.#insertForm.send(tagForm(tag), tag);
    }
  }
}
