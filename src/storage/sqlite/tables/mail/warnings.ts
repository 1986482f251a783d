import type Database from 'better-sqlite3';
import type { ServiceWarning } from '../../../../contract/vocabulary/warnings.js';
import { readEmailWarning } from '../../rows/emails.js';
import type { RowReader } from '../../rows/reader.js';
import { RowQuery } from '../../rows/row-query.js';

/** Stores the warnings about emails. */
export class WarningTable {
  readonly #insert;
  readonly #ofEmail;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#insert = db.prepare(
      'INSERT INTO email_warnings (email_seq, code, path, text) VALUES ((SELECT seq FROM emails WHERE id = ?), ?, ?, ?)',
    );
    this.#ofEmail = new RowQuery(
      db,
      'SELECT * FROM email_warnings WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY seq',
    );
  }

  insert(emailId: string, { code, path, message }: ServiceWarning): void {
    this.#insert.run(emailId, code, path, message);
  }

  of(emailId: string): ServiceWarning[] {
    return this.rows.all('email_warnings', () => this.#ofEmail.all(emailId), readEmailWarning);
  }
}
