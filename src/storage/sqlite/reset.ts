import type Database from 'better-sqlite3';
import { repairCounters } from './rows/keys.js';

/** Tables that a reset keeps: the keys, and the settings (the clock, the secret of tracking links). */
const KEPT_TABLES = new Set(['api_keys', 'settings']);

/** Empties the store inside a transaction. Sequence numbers keep rising, for readers of events or requests. */
export function reset(db: Database.Database): void {
  // A running `webhooks listen` keeps its subscription.
  const only = { webhooks: 'ephemeral = 0' };
  emptyTables(
    db,
    tableNames(db).filter((name) => !KEPT_TABLES.has(name)),
    only,
  );
  repairCounters(db);
}

/** Deletes the rows of tables, or those that meet the table's condition in `only`. */
export function emptyTables(db: Database.Database, tables: string[], only: Record<string, string> = {}): void {
  // Until the transaction ends, the order of the tables does not matter.
  db.pragma('defer_foreign_keys = ON');
  // Later tables refer to earlier ones. Empty them first, so that SQLite does not search them for each deleted row.
  for (const table of tables.toReversed()) {
    db.exec(`DELETE FROM main."${table}"${only[table] ? ` WHERE ${only[table]}` : ''}`);
  }
}

/** Returns every table, in the order of creation. */
export function tableNames(db: Database.Database): string[] {
  return db
    .prepare("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .pluck()
    .all() as string[];
}
