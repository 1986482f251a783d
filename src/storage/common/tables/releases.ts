import type { Release } from '../../../core/model/received.js';
import type { Columns } from '../rows/columns.js';
import { json } from '../rows/columns.js';
import { Table } from '../sql.js';

/** Stores the attempts to send captured emails through an SMTP server. */
export class ReleaseTable extends Table {
  readonly #insert = this.sql.prepare(
    `INSERT INTO releases (email_seq, released_at, relay, mail_from, recipients, reply, error, rejected)
       SELECT seq, ?, ?, ?, ?, ?, ?, ? FROM emails WHERE id = ?`,
  );
  readonly #ofEmail = this.sql.prepare(
    'SELECT * FROM releases WHERE email_seq = (SELECT seq FROM emails WHERE id = ?) ORDER BY seq',
  );

  async insert(
    emailId: string,
    { releasedAt, relay, mailFrom, recipients, reply, error, rejected }: Release,
  ): Promise<void> {
    this.#insert.send(
      releasedAt,
      relay,
      mailFrom,
      json(recipients),
      reply,
      error,
      json(rejected.flatMap(pair)),
      emailId,
    );
  }

  async ofEmail(emailId: string): Promise<Release[]> {
    return this.rows.all('releases', () => this.#ofEmail.all(emailId), readRelease);
  }
}

/** Addresses and replies are stored as one list of texts, in turn. */
function pair({ address, reply }: Release['rejected'][number]): string[] {
  return [address, reply];
}

export function readRelease(row: Columns): Release {
  row.key('email_seq');
  const texts = row.list('rejected');
  const addresses = texts.filter((_, index) => index % 2 === 0);
  return {
    releasedAt: row.instant('released_at'),
    relay: row.text('relay'),
    mailFrom: row.text('mail_from'),
    recipients: row.list('recipients'),
    reply: row.textOrNull('reply'),
    error: row.textOrNull('error'),
    rejected: addresses.map((address, index) => ({ address, reply: texts[index * 2 + 1] ?? '' })),
  };
}
