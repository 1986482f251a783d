import type Database from 'better-sqlite3';
import type { Committed } from '../../core/store.js';
import type { Row } from '../common/rows/columns.js';
import { NOT_ARCHIVED } from '../common/tables/audit.js';
import { HOLD_WITHOUT_EMAIL } from '../common/tables/events.js';
import { deleteUnreferencedChunks, emptyTables, raiseEmailNumber, tableNames } from './reset.js';
import { IMPORTED_KEY_MAX, repairCounters } from './rows/keys.js';
import { emptyIndex, queueAll } from './search/repair-index.js';

/** Replaces all rows but those of the audit log with those of an attached database, inside a transaction. */
export function replaceTables(db: Database.Database, schema: string): NonNullable<Committed['replaced']> {
  const readers = db.prepare('SELECT * FROM main.webhooks WHERE ephemeral = 1 AND active = 1').all() as Row[];
  raiseEmailNumber(db);
  const tables = tableNames(db).filter((name) => name !== 'audit');
  emptyTables(db, tables);
  for (const table of tables) {
    if (table !== 'jobs' && !NOT_ARCHIVED.has(table))
      db.exec(`INSERT INTO main."${table}" SELECT * FROM "${schema}"."${table}"`);
  }
  // An index cannot be copied, and that of an archive is not trusted.
  emptyIndex(db);
  queueAll(db);
  // Deletes chunks of messages that were being received when the archive was created.
  deleteUnreferencedChunks(db);
  db.exec(HOLD_WITHOUT_EMAIL);
  raiseSequences(db, schema);
  copyJobs(db, schema);
  // The clients of ephemeral subscriptions are connected to another server, or have disconnected.
  db.exec('UPDATE main.webhooks SET active = 0 WHERE ephemeral = 1');
  const last = (table: string) => db.prepare(`SELECT coalesce(max(seq), 0) FROM main.${table}`).pluck().get() as number;
  const lastEvent = last('events');
  for (const reader of readers) keepReader(db, { ...reader, since_seq: lastEvent });
  return { lastEvent, lastRequest: last('requests'), lastSmtpSession: last('smtp_sessions') };
}

/**
 * Raises the sequence counters, so that readers of either database never see a number twice. Ignores counters that svc
 * cannot have reached.
 */
function raiseSequences(db: Database.Database, schema: string): void {
  repairCounters(db);
  const counters = `SELECT name, max(seq) AS seq FROM "${schema}".sqlite_sequence
    WHERE typeof(seq) = 'integer' AND seq BETWEEN 0 AND ${IMPORTED_KEY_MAX} AND name IN (SELECT name FROM main.sqlite_schema)
    GROUP BY name`;
  db.exec(`INSERT INTO main.sqlite_sequence (name, seq)
             SELECT name, 0 FROM (${counters}) WHERE name NOT IN (SELECT name FROM main.sqlite_sequence);
           UPDATE main.sqlite_sequence AS own SET seq = max(own.seq, other.seq)
             FROM (${counters}) AS other WHERE other.name = own.name`);
}

/** Copies the jobs without leases. They get new numbers, because running jobs complete by their old numbers. */
function copyJobs(db: Database.Database, schema: string): void {
  const columns = (db.pragma('table_info(jobs)') as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => name !== 'seq' && name !== 'lease_until')
    .join(', ');
  db.exec(`INSERT INTO main.jobs (${columns}) SELECT ${columns} FROM "${schema}".jobs ORDER BY seq`);
}

function keepReader(db: Database.Database, reader: Row): void {
  db.prepare('DELETE FROM main.webhooks WHERE id = ?').run(reader.id);
  const columns = Object.keys(reader).filter((name) => name !== 'seq');
  db.prepare(
    `INSERT INTO main.webhooks (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
  ).run(reader);
}
