import { Client } from 'pg';
import type { Committed, Snapshot } from '../../../core/store.js';
import type { Sql } from '../../common/sql.js';
import { NOT_ARCHIVED } from '../../common/tables/audit.js';
import { HOLD_WITHOUT_EMAIL } from '../../common/tables/events.js';
import { HAS_NO_ROW } from '../../common/tables/mail/contents.js';
import {
  type ArchiveTable,
  type LastNumbers,
  NewArchive,
  type StagedArchive,
} from '../../sqlite/files/archive-database.js';
import { connectionTo } from '../connections/database-url.js';
import { codeOf, named } from '../connections/errors.js';
import { EMPTIED } from './shared.js';

/**
 * Copies a whole state to the SQLite database of an archive, and back. Both engines have the same tables and columns,
 * except the ledger and the index of searches.
 */

/** Number of rows to read at once. A row has up to some hundred kilobytes. */
const ROWS_PER_READ = 100;
/** Number of rows, and about how many bytes, to insert at once. */
const ROWS_PER_INSERT = 500;
const BYTES_PER_INSERT = 1 << 20;

/** Whether a chunk is not only theirs. */
const IS_LEFT = `NOT (${HAS_NO_ROW} AND content_key IN (SELECT content_key FROM deleted_contents))`;

const TYPES = { INTEGER: 'BIGINT', REAL: 'DOUBLE PRECISION', TEXT: 'TEXT', BLOB: 'BYTEA' };

/**
 * Copies everything as of one moment. Writes continue meanwhile.
 * @throws StoreUnavailableError if the database cannot be read, or the temporary directory has too little space.
 */
export async function takeSnapshot(url: string): Promise<Snapshot> {
  const client = new Client(connectionTo(url, 'svc export'));
  // The error of a lost connection reaches the statement that is under way.
  client.on('error', () => {});
  let archive: NewArchive | undefined;
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    archive = new NewArchive();
    for (const table of archive.tables) if (!NOT_ARCHIVED.has(table.name)) await copyTable(client, table, archive);
    return archive.finish(await lastNumbers(client, archive.tables));
  } catch (error) {
    archive?.discard();
    throw named(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function copyTable(client: Client, table: ArchiveTable, archive: NewArchive): Promise<void> {
  const names = table.columns.map(({ name }) => name).join(', ');
  await client.query(
    `DECLARE rows NO SCROLL CURSOR FOR SELECT ${names} FROM ${table.name}${table.name === 'chunks' ? ` WHERE ${IS_LEFT}` : ''}`,
  );
  for (let isLast = false; !isLast; ) {
    const { rows } = await client.query<unknown[]>({ text: `FETCH ${ROWS_PER_READ} FROM rows`, rowMode: 'array' });
    archive.insert(table, rows);
    isLast = rows.length < ROWS_PER_READ;
  }
  await client.query('CLOSE rows');
}

async function lastNumbers(client: Client, tables: readonly ArchiveTable[]): Promise<LastNumbers> {
  const ledger = await client.query<LastNumbers>('SELECT emails, events FROM ledger');
  const last: LastNumbers = { ...ledger.rows[0] };
  for (const { name } of tables.filter(isNumbered)) {
    const sequence = await client.query<{ number: number | null }>(
      `SELECT pg_sequence_last_value(pg_get_serial_sequence('${name}', 'seq')) AS number`,
    );
    last[name] ??= sequence.rows[0]?.number ?? 0;
  }
  return last;
}

function isNumbered({ columns }: ArchiveTable): boolean {
  return columns.some(({ name }) => name === 'seq');
}

/** Raises a number of the ledger, so that later ones are higher. */
export type Raise = (name: 'emails' | 'events', atLeast: number) => void;

/**
 * Replaces all rows with those of an archive, inside a transaction. Deletes rows instead of truncating tables, so that
 * reads continue. Numbers continue from the higher of both sides.
 */
export async function replaceTables(
  sql: Sql,
  raise: Raise,
  archive: StagedArchive,
): Promise<NonNullable<Committed['replaced']>> {
  const readers = await sql.prepare('SELECT * FROM webhooks WHERE ephemeral = 1 AND active = 1').all();
  for (const table of [...EMPTIED, 'webhooks', 'api_keys', 'workspaces', 'settings'])
    sql.prepare(`DELETE FROM ${table}`).send();
  const last = archive.lastNumbers();
  // Jobs get new numbers and lose their leases, because running jobs complete by their old numbers.
  const own = ({ name }: { name: string }) => name !== 'seq' && name !== 'lease_until';
  for (const table of archive.tables.filter(({ name }) => !NOT_ARCHIVED.has(name))) {
    const rows = archive.rows(table);
    if (table.name === 'jobs') await insertRows(sql, table, rows, own);
    else await insertRows(sql, table, rows);
  }
  sql
    .prepare(
      'INSERT INTO unindexed SELECT email_seq, (html_text IS NOT NULL)::int FROM email_extracts ON CONFLICT DO NOTHING',
    )
    .send();
  sql.prepare(HOLD_WITHOUT_EMAIL).send();
  for (const { name } of archive.tables.filter(isNumbered)) await raiseSequence(sql, name, last[name] ?? 0);
  const lastOf = async (table: string, column = 'seq') =>
    (await sql.prepare(`SELECT coalesce(max(${column}), 0) FROM ${table}`).value<number>()) ?? 0;
  const lastEvent = await lastOf('events');
  raise('emails', Math.max(last.emails ?? 0, await lastOf('emails'), await lastOf('received', 'email_seq')));
  raise('events', Math.max(last.events ?? 0, lastEvent));
  // The clients of ephemeral subscriptions are connected to another server, or have disconnected.
  sql.prepare('UPDATE webhooks SET active = 0 WHERE ephemeral = 1').send();
  for (const reader of readers) await keepReader(sql, { ...reader.toRow(), since_seq: lastEvent });
  return { lastEvent, lastRequest: await lastOf('requests'), lastSmtpSession: await lastOf('smtp_sessions') };
}

/** Inserts rows in batches. `isWanted` selects columns. */
async function insertRows(
  sql: Sql,
  { name, columns }: ArchiveTable,
  rows: IterableIterator<unknown[]>,
  isWanted: (column: { name: string }) => boolean = () => true,
): Promise<void> {
  const wanted = columns.map((column, position) => ({ ...column, position })).filter(isWanted);
  const names = wanted.map((column) => column.name).join(', ');
  const lists = wanted.map(({ type }) => `?::${TYPES[type]}[]`).join(', ');
  const insert = sql.prepare(`INSERT INTO ${name} (${names}) SELECT * FROM unnest(${lists})`);
  let batch: unknown[][] = [];
  let bytes = 0;
  const send = async () => {
    if (batch.length > 0) await insert.run(...wanted.map(({ position }) => batch.map((row) => row[position])));
    [batch, bytes] = [[], 0];
  };
  for (const row of rows) {
    batch.push(row);
    for (const value of row) bytes += typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8;
    if (batch.length >= ROWS_PER_INSERT || bytes >= BYTES_PER_INSERT) await send();
  }
  await send();
}

/** Raises the sequence of a table, if it has one, to the last number of an archive. An undone write leaves it raised. */
async function raiseSequence(sql: Sql, table: string, last: number): Promise<void> {
  const sequence = `pg_get_serial_sequence('${table}', 'seq')::regclass`;
  const number = `greatest(?, pg_sequence_last_value(${sequence}), (SELECT max(seq) FROM ${table}))`;
  await sql.prepare(`SELECT setval(${sequence}, ${number}) WHERE ${number} > 0`).run(last, last);
}

async function keepReader(sql: Sql, reader: Record<string, unknown>): Promise<void> {
  sql.prepare('DELETE FROM webhooks WHERE id = ?').send(reader.id);
  const columns = Object.keys(reader).filter((name) => name !== 'seq');
  const marks = columns.map(() => '?').join(', ');
  await sql
    .prepare(`INSERT INTO webhooks (${columns.join(', ')}) VALUES (${marks})`)
    .run(...columns.map((name) => reader[name]));
}

/** Returns whether an error is caused by an archive's content: a constraint, a value, or a limit of PostgreSQL. */
export function isForeignContent(error: unknown): boolean {
  return /^(22|23|54)/.test(codeOf(error));
}
