import type { Deletion } from '../../../../core/model/emails.js';
import type { NewJob } from '../../../../core/model/jobs.js';
import { memoized } from '../../listeners.js';
import type { Columns, Row } from '../../rows/columns.js';
import { json } from '../../rows/columns.js';
import { IN_SCOPE, scopeOf } from '../../rows/mapping.js';
import { type Statement, Statements } from '../../sql.js';

/** The tables with rows of an email, in the order in which they are inserted. The others follow from these. */
const TABLES = [
  { name: 'received', email: 'email_seq' },
  { name: 'unparsed', email: 'seq' },
  { name: 'emails', email: 'seq' },
  { name: 'bodies', email: 'email_seq' },
  { name: 'recipients', email: 'email_seq' },
  { name: 'attachments', email: 'email_seq' },
  { name: 'email_extracts', email: 'email_seq' },
  // Their rows get new numbers.
  { name: 'email_warnings', email: 'email_seq', number: 'seq' },
  { name: 'releases', email: 'email_seq', number: 'seq' },
];

/** The tables of emails whose deletion can be undone. No archive has their rows, and none is imported from one. */
export const UNDOABLE: ReadonlySet<string> = new Set(['deletions', 'deleted_emails', 'deleted_contents']);

/** The rows of an email by their tables, and its jobs that were due since it was deleted. */
interface Kept {
  rows: Record<string, Row[]>;
  jobs: NewJob[];
}

/** An email that was deleted, to insert again. */
export interface Restorable {
  seq: number;
  id: string;
  jobs: NewJob[];
  /** Whether its HTML is known as text, so that it can be indexed for searches. */
  isShown: boolean;
}

/** Number of emails that one transaction restores, or deletes permanently. */
const AT_ONCE = 64;

/**
 * Keeps the rows of emails whose deletion can be undone. They are in no other table, so that no reader has to leave
 * them out. Large contents stay where they are.
 */
export class DeletedEmailTable extends Statements {
  readonly #selects = TABLES.map(({ name, email, number }) => ({
    ...{ name, email },
    rows: this.sql.prepare(`SELECT * FROM ${name} WHERE ${this.among(email)}${number ? ` ORDER BY ${number}` : ''}`),
  }));
  readonly #begin = this.sql.prepare(
    'INSERT INTO deletions (id, deleted_at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET deleted_at = excluded.deleted_at',
  );
  readonly #keep = this.sql.prepare(
    'INSERT INTO deleted_emails (seq, id, deletion, workspace, content) VALUES (?, ?, ?, ?, ?)',
  );
  readonly #keepContent = this.sql.prepare('INSERT INTO deleted_contents (content_key, email_seq) VALUES (?, ?)');
  readonly #deletions = this.sql.prepare('SELECT id, deleted_at FROM deletions ORDER BY deleted_at');
  readonly #ofDeletion = this.sql.prepare(
    `SELECT seq, id, content FROM deleted_emails
         WHERE deletion = @deletion AND ${IN_SCOPE} ORDER BY seq LIMIT ${AT_ONCE}`,
  );
  readonly #jobsOf = this.sql.prepare('SELECT seq, content FROM deleted_emails WHERE id = ?');
  readonly #setContent = this.sql.prepare('UPDATE deleted_emails SET content = ? WHERE seq = ?');
  readonly #keys = this.sql.prepare(
    `SELECT DISTINCT content_key FROM deleted_contents WHERE ${this.among('email_seq')}`,
  );
  readonly #forget = this.sql.prepare(`DELETE FROM deleted_emails WHERE ${this.among('seq')}`);
  readonly #forgetContents = this.sql.prepare(`DELETE FROM deleted_contents WHERE ${this.among('email_seq')}`);
  readonly #end = this.sql.prepare(
    'DELETE FROM deletions WHERE id = ? AND NOT EXISTS (SELECT 1 FROM deleted_emails WHERE deletion = deletions.id)',
  );
  readonly #isImported = this.sql.prepare('SELECT 1 FROM received WHERE import_key = ?');
  readonly #inserts = new Map<string, Statement>();

  /** Keeps the rows of emails that the caller deletes next. */
  async keep(seqs: readonly number[], { id, at }: Deletion): Promise<void> {
    const kept = new Map<unknown, Kept>(seqs.map((seq) => [seq, { rows: {}, jobs: [] }]));
    for (const { name, email, rows } of this.#selects) {
      for (const columns of await rows.all(this.sql.list(seqs))) {
        const row = columns.toRow();
        const of = kept.get(Number(row[email]))?.rows;
        if (of) of[name] = [...(of[name] ?? []), row];
      }
    }
    this.#begin.send(id, at);
    for (const [seq, content] of kept) {
      const [email] = content.rows.emails ?? [];
      this.#keep.send(seq, email?.id, id, email?.workspace ?? null, encode(content));
      for (const key of new Set(keysOf(content))) this.#keepContent.send(key, seq);
    }
  }

  async deletions(): Promise<Deletion[]> {
    const rows = await this.#deletions.tuples<[string, number]>();
    return rows.map(([id, at]) => ({ id, at }));
  }

  /** Inserts the rows of the next emails of a deletion again. The caller does what follows from them. */
  async restore({ id, at }: Deletion, workspace?: string | null): Promise<Restorable[]> {
    const emails = await this.#ofDeletion.tuples<[number, string, string]>({ deletion: id, scope: scopeOf(workspace) });
    if (emails.length === 0) return [];
    // So that the rest is not purged meanwhile.
    this.#begin.send(id, at);
    const restored: Restorable[] = [];
    for (const [seq, emailId, content] of emails) {
      const { rows, jobs } = decode(content);
      for (const { name, number } of TABLES) {
        for (const row of rows[name] ?? []) await this.#insert(name, row, number);
      }
      const [extracts] = rows.email_extracts ?? [];
      restored.push({ seq, id: emailId, jobs, isShown: extracts?.html_text != null });
    }
    this.#remove(id, emails);
    return restored;
  }

  /** Deletes the next emails of a deletion permanently. Returns what else was only theirs. */
  async purge(id: string): Promise<{ keys: string[]; emailIds: string[]; sessions: string[] }> {
    const emails = await this.#ofDeletion.tuples<[number, string, string]>({ deletion: id, scope: null });
    const keys = await this.#keys.values<string>(this.sql.list(emails.map(([seq]) => seq)));
    this.#remove(id, emails);
    const emailIds = emails.map(([, emailId]) => emailId);
    return { keys, emailIds, sessions: emails.flatMap(([, , content]) => sessionsOf(content)) };
  }

  /** Keeps a job for the restore of its email. Does nothing if that cannot be restored. */
  async keepJob(emailId: string, { kind, queue = '', runAt, payload }: NewJob): Promise<void> {
    const [seq, content] = (await this.#jobsOf.tuple<[number, string]>(emailId)) ?? [];
    if (content === undefined) return;
    const { rows, jobs } = decode(content);
    const job = { kind, queue, runAt, payload } as NewJob;
    await this.#setContent.run(encode({ rows, jobs: [...jobs, job] }), seq);
  }

  #remove(id: string, emails: readonly [number, ...unknown[]][]): void {
    const seqs = this.sql.list(emails.map(([seq]) => seq));
    this.#forget.send(seqs);
    this.#forgetContents.send(seqs);
    this.#end.send(id);
  }

  async #insert(table: string, row: Row, number: string | undefined): Promise<void> {
    // Meanwhile, an import may have added the message again.
    const isTaken = row.import_key != null && (await this.#isImported.value(row.import_key)) !== undefined;
    const entries = Object.entries(isTaken ? { ...row, import_key: null } : row).filter(([name]) => name !== number);
    const names = entries.map(([name]) => `"${name}"`).join(', ');
    const marks = entries.map(() => '?').join(', ');
    const text = `INSERT INTO ${table} (${names}) VALUES (${marks})`;
    memoized(this.#inserts, text, () => this.sql.prepare(text)).send(...entries.map(([, value]) => value));
  }
}

/** Checks a row of `deleted_emails`. */
export function readDeletedEmail(row: Columns): void {
  for (const name of ['id', 'deletion', 'content']) row.text(name);
  row.textOrNull('workspace');
}

/** Returns the keys of the large contents of an email. */
function keysOf({ rows }: Kept): string[] {
  const columns = ['content_key', 'text_key', 'html_key'];
  const values = Object.values(rows).flatMap((some) => some.flatMap((row) => columns.map((name) => row[name])));
  return values.filter((value) => typeof value === 'string');
}

/** Returns the ID of the SMTP session in which an email was received. */
function sessionsOf(content: string): string[] {
  const { received = [] } = (JSON.parse(content) as Kept).rows;
  return received.map((row) => row.session_id).filter((value) => typeof value === 'string');
}

/** Returns JSON in which bytes are in Base64. */
function encode({ rows, jobs }: Kept): string {
  const withText = (row: Row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
      ]),
    );
  return json({
    rows: Object.fromEntries(Object.entries(rows).map(([name, some]) => [name, some.map(withText)])),
    jobs,
  });
}

function decode(content: string): Kept {
  const isBytes = (value: unknown): value is { base64: string } =>
    typeof value === 'object' && value !== null && 'base64' in value;
  const { rows, jobs } = JSON.parse(content) as Kept;
  for (const row of Object.values(rows).flat()) {
    for (const [name, value] of Object.entries(row))
      if (isBytes(value)) row[name] = Buffer.from(value.base64, 'base64');
  }
  return { rows, jobs };
}
