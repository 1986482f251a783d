import type { Email, NewEmail } from '../../../../core/model/emails.js';
import { readStoredEmail } from '../../rows/emails.js';
import type { Rows, Sql } from '../../sql.js';
import type { ContentTable } from './contents.js';

/** SQL for whether the bodies of an email are in contents with these keys. */
export const REFERS_TO_BODIES = 'SELECT 1 FROM bodies WHERE email_seq = ? AND (text_key = ? OR html_key = ?)';

/** Stores the texts and the HTML of emails. */
export class BodyTable {
  readonly #insert;
  readonly #find;
  readonly #refers;

  constructor(
    sql: Sql,
    private readonly rows: Rows,
    private readonly contents: ContentTable,
  ) {
    this.#insert = sql.prepare(
      `INSERT INTO bodies (text, text_key, text_size, html, html_key, html_size, email_seq)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    // An email without bodies is set aside like one with a bad body.
    this.#find = sql.prepare('SELECT * FROM emails LEFT JOIN bodies ON email_seq = seq WHERE id = ?');
    this.#refers = sql.prepare(REFERS_TO_BODIES);
  }

  async insert(emailSeq: number, email: Pick<NewEmail, 'text' | 'html'>): Promise<void> {
    const text = await this.contents.textColumnsOf(email.text);
    const html = await this.contents.textColumnsOf(email.html);
    this.#insert.send(text.text, text.key, text.size, html.text, html.key, html.size, emailSeq);
  }

  /** Returns an email with its bodies. */
  async find(id: string): Promise<Email | undefined> {
    const row = await this.rows.one('emails', () => this.#find.get(id), readStoredEmail);
    if (!row) return undefined;
    const { seq, email, storedText, storedHtml } = row;
    const bodies = await this.contents.readOf('emails', { seq }, [storedText, storedHtml], this.#refers);
    if (!bodies) return undefined;
    const [text, html] = bodies;
    return { ...email, text: text?.toString() ?? email.text, html: html?.toString() ?? email.html };
  }
}
