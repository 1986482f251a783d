import { SMTP_SESSIONS_BYTES, SMTP_SESSIONS_KEPT } from '../../../contract/vocabulary/limits.js';
import {
  lineSenders,
  type SmtpAuth,
  type SmtpClient,
  type SmtpLine,
  type SmtpTls,
  smtpEndings,
  transactionStates,
} from '../../../contract/vocabulary/smtp.js';
import type { EndedSmtpSession, NewSmtpSession, SmtpSessionFilter, SmtpTransaction } from '../../../core/model/logs.js';
import { type Column, instant, integer, integerOrNull, oneOfOrNull, text, textOrNull } from '../rows/column-kinds.js';
import type { Columns } from '../rows/columns.js';
import { bit, json } from '../rows/columns.js';
import { RowMapping } from '../rows/mapping.js';
import { ObservedTable } from '../sql.js';

/** A JSON column with a record, or null. */
const record = <T extends object>(name: string, isValid: (value: T) => boolean): Column<T> => ({
  name,
  read: (row) => row.record(name, isValid),
  write: json,
});

const recordOrNull = <T extends object>(name: string, isValid: (value: T) => boolean): Column<T | null> => ({
  name,
  read: (row) => (row.textOrNull(name) === null ? null : row.record(name, isValid)),
  write: (value) => value && json(value),
});

const records = <T extends object>(name: string, isValid: (value: T) => boolean): Column<T[]> => ({
  name,
  read: (row) => row.records(name, isValid),
  write: json,
});

const isText = (value: unknown) => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

const isClient = ({ address, port }: SmtpClient) => isText(address) && isCount(port);
const isTls = ({ version, cipher }: SmtpTls) => isText(version) && isText(cipher);
const isAuth = ({ mechanism, username, accepted }: SmtpAuth) =>
  isText(mechanism) && isTextOrNull(username) && typeof accepted === 'boolean';
const isLine = ({ ms, from, text }: SmtpLine) => isCount(ms) && lineSenders.includes(from) && isText(text);
const isTransaction = (each: SmtpTransaction) =>
  isText(each.mailFrom) &&
  Array.isArray(each.recipients) &&
  each.recipients.every(isText) &&
  isCount(each.recipientCount) &&
  isCount(each.bytes) &&
  transactionStates.includes(each.state) &&
  [each.emailId, each.reply, each.received].every(isTextOrNull);

const sessionRow = new RowMapping<NewSmtpSession>({
  id: text('id'),
  createdAt: instant('created_at'),
  capturedAt: instant('captured_at'),
  ms: integerOrNull('ms', 0),
  client: record('client', isClient),
  helo: textOrNull('helo'),
  tls: recordOrNull('tls', isTls),
  auth: recordOrNull('auth', isAuth),
  ending: oneOfOrNull('ending', smtpEndings),
  error: textOrNull('error'),
  accepted: integer('accepted', 0),
  omittedTransactions: integer('omitted', 0),
  transactions: records('transactions', isTransaction),
  transcript: records('transcript', isLine),
});

const WHERE = '(@failed = 0 OR error IS NOT NULL)';

/** Stores the log of SMTP sessions. */
export class SmtpSessionTable extends ObservedTable {
  readonly #insert = this.sql.prepare(`INSERT INTO smtp_sessions ${sessionRow.into(['size'])}`);
  readonly #trimOthers = this.sql.prepare(deleteAllBut('error IS NULL'));
  readonly #trimFailed = this.sql.prepare(deleteAllBut('error IS NOT NULL'));
  readonly #newest = this.sql.prepare(`SELECT * FROM smtp_sessions WHERE ${WHERE} ORDER BY seq DESC LIMIT @limit`);
  readonly #after = this.sql.prepare(
    `SELECT * FROM smtp_sessions WHERE seq > @seq AND ${WHERE} ORDER BY seq LIMIT @limit`,
  );
  readonly #find = this.sql.prepare('SELECT * FROM smtp_sessions WHERE id = ?');
  readonly #lastSeq = this.sql.prepare('SELECT coalesce(max(seq), 0) FROM smtp_sessions');
  readonly #ofEmails = this.sql.prepare(
    `SELECT DISTINCT session_id FROM received WHERE ${this.among('email_seq')} AND session_id IS NOT NULL`,
  );
  readonly #removeUnused = this.sql.prepare(
    `DELETE FROM smtp_sessions WHERE ${this.among('id')}
         AND NOT EXISTS (SELECT 1 FROM received WHERE session_id = smtp_sessions.id)`,
  );
  readonly #before = this.sql.prepare('SELECT seq FROM smtp_sessions WHERE captured_at < ? ORDER BY seq LIMIT ?');
  readonly #remove = this.sql.prepare(`DELETE FROM smtp_sessions WHERE ${this.among('seq')}`);

  async append(sessions: readonly NewSmtpSession[]): Promise<void> {
    for (const session of sessions) {
      const values = sessionRow.values(session);
      const size = values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
      this.#insert.send(...values, size);
    }
    this.changes().logs += 1;
  }

  async trim(): Promise<void> {
    this.#trimOthers.send(SMTP_SESSIONS_KEPT, SMTP_SESSIONS_BYTES);
    this.#trimFailed.send(SMTP_SESSIONS_KEPT, SMTP_SESSIONS_BYTES);
  }

  /** Returns the sessions in which emails were received. */
  async ofEmails(seqs: readonly number[]): Promise<string[]> {
    return this.#ofEmails.values<string>(this.sql.list(seqs));
  }

  /** Deletes those of the sessions whose emails have all been deleted. */
  removeUnused(ids: readonly string[]): void {
    if (ids.length > 0) this.#removeUnused.send(this.sql.list(ids));
  }

  async before(instant: number, limit: number): Promise<number[]> {
    return this.#before.values<number>(instant, limit);
  }

  async remove(seqs: readonly number[]): Promise<void> {
    this.#remove.send(this.sql.list(seqs));
  }

  async newest({ failed }: SmtpSessionFilter, limit: number): Promise<EndedSmtpSession[]> {
    const query = { failed: bit(failed ?? false), limit };
    return this.rows.all('smtp_sessions', () => this.#newest.all(query), readSmtpSession);
  }

  async after(seq: number, { failed }: SmtpSessionFilter, limit: number): Promise<EndedSmtpSession[]> {
    const query = { failed: bit(failed ?? false), seq, limit };
    return this.rows.all('smtp_sessions', () => this.#after.all(query), readSmtpSession);
  }

  async find(id: string): Promise<EndedSmtpSession | undefined> {
    return this.rows.one('smtp_sessions', () => this.#find.get(id), readSmtpSession);
  }

  async lastSeq(): Promise<number> {
    return (await this.#lastSeq.value<number>()) ?? 0;
  }
}

/** Returns the statement that deletes the sessions of a condition, except the newest up to a number and a size. */
function deleteAllBut(condition: string): string {
  return `DELETE FROM smtp_sessions WHERE seq IN (
    SELECT seq FROM (
      SELECT seq, row_number() OVER newest AS number, sum(size) OVER newest AS bytes
      FROM smtp_sessions WHERE ${condition} WINDOW newest AS (ORDER BY seq DESC)
    ) AS sessions WHERE number > ? OR bytes > ?
  )`;
}

export function readSmtpSession(row: Columns): EndedSmtpSession {
  row.integer('size', 0);
  return { seq: row.key('seq'), ...sessionRow.read(row) };
}
