import type { ServiceWarning } from '../../../../contract/vocabulary/warnings.js';
import { readEmailWarning } from '../../rows/emails.js';
import type { Rows, Sql } from '../../sql.js';

/** Stores the warnings about emails. */
export class WarningTable {
  readonly #insert;
  readonly #ofEmail;

  constructor(
    sql: Sql,
    private readonly rows: Rows,
  ) {
    this.#insert = sql.prepare(
      'INSERT INTO email_warnings (email_seq, code, path, text) VALUES ((SELECT seq FROM emails WHERE id = ?), ?, ?, ?)',
    );
    this.#ofEmail = sql.prepare(
      'SELECT * FROM email_warnings WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY seq',
    );
  }

  insert(emailId: string, { code, path, message }: ServiceWarning): void {
    this.#insert.send(emailId, code, path, message);
  }

  of(emailId: string): Promise<ServiceWarning[]> {
    return this.rows.all('email_warnings', () => this.#ofEmail.all(emailId), readEmailWarning);
  }
}
