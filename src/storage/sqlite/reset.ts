import type Database from 'better-sqlite3';
import { KEY_MAX, repairCounters } from './rows/keys.js';
import { emptyIndex } from './search/repair-index.js';

/** Tables that a reset keeps: API keys with their workspaces, and settings (the clock, the secret of tracking links). */
const KEPT_TABLES = new Set(['api_keys', 'settings', 'workspaces']);

const LAST_RECEIVED = `SELECT coalesce(max(email_seq), 0) FROM main.received WHERE email_seq < ${KEY_MAX}`;

/**
 * Empties the store inside a transaction. Sequence numbers continue to rise, because clients continue from the last one
 * they read.
 */
export function reset(db: Database.Database): void {
  // A running `webhooks listen` keeps its subscription.
  const only = { webhooks: 'ephemeral = 0' };
  raiseEmailNumber(db);
  emptyTables(
    db,
    tableNames(db).filter((name) => !KEPT_TABLES.has(name)),
    only,
  );
  emptyIndex(db);
  repairCounters(db);
}

/** Raises the counter of emails to the number of the last received message, which may have no email yet. */
export function raiseEmailNumber(db: Database.Database): void {
  const { changes } = db
    .prepare(`UPDATE main.sqlite_sequence SET seq = max(seq, (${LAST_RECEIVED})) WHERE name = 'emails'`)
    .run();
  if (changes === 0) db.exec(`INSERT INTO main.sqlite_sequence (name, seq) VALUES ('emails', (${LAST_RECEIVED}))`);
}

/** Deletes the rows of tables. If a table has a condition in `only`, deletes only rows that meet it. */
export function emptyTables(db: Database.Database, tables: string[], only: Record<string, string> = {}): void {
  // Defers the checks of references to the end of the transaction, so that the order of the tables does not matter.
  db.pragma('defer_foreign_keys = ON');
  // Later tables refer to earlier ones and are emptied first. Otherwise SQLite searches them for each deleted row.
  for (const table of tables.toReversed()) {
    db.exec(`DELETE FROM main."${table}"${only[table] ? ` WHERE ${only[table]}` : ''}`);
  }
}

/**
 * Returns the names of all tables except those of the search index. Tables that others refer to come first: a migration
 * recreated `emails`, so its rowid does not show that.
 */
export function tableNames(db: Database.Database): string[] {
  return db
    .prepare(
      `SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         AND name <> 'search' AND name NOT LIKE 'search\\_%' ESCAPE '\\'
       ORDER BY name <> 'emails', rowid`,
    )
    .pluck()
    .all() as string[];
}
