import type Database from 'better-sqlite3';
import { repairCounters } from './rows/keys.js';

/** Tables that a reset keeps: API keys, and settings (the clock, the secret of tracking links). */
const KEPT_TABLES = new Set(['api_keys', 'settings']);

/**
 * Empties the store inside a transaction. Sequence numbers continue to rise, because clients continue from the last one
 * they read.
 */
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

/** Deletes the rows of tables. If a table has a condition in `only`, deletes only rows that meet it. */
export function emptyTables(db: Database.Database, tables: string[], only: Record<string, string> = {}): void {
  // Defers the checks of references to the end of the transaction, so that the order of the tables does not matter.
  db.pragma('defer_foreign_keys = ON');
  // Later tables refer to earlier ones and are emptied first. Otherwise SQLite searches them for each deleted row.
  for (const table of tables.toReversed()) {
    db.exec(`DELETE FROM main."${table}"${only[table] ? ` WHERE ${only[table]}` : ''}`);
  }
}

/** Returns the names of all tables, in the order of their creation. */
export function tableNames(db: Database.Database): string[] {
  return db
    .prepare("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .pluck()
    .all() as string[];
}
