import type Database from 'better-sqlite3';
import { repairCounters } from './rows/keys.js';

/** What outlives a reset: the keys; the clock and the secret of tracking links, which are settings. */
const KEPT_TABLES = new Set(['api_keys', 'settings']);

/** Empties the store inside a transaction. Sequence numbers go on rising, for those who follow events or requests. */
export function reset(db: Database.Database): void {
  // A subscription that somebody reads at this moment stays with its reader.
  const only = { webhooks: 'ephemeral = 0' };
  emptyTables(
    db,
    tableNames(db).filter((name) => !KEPT_TABLES.has(name)),
    only,
  );
  repairCounters(db);
}

/** Deletes the rows of tables, or those that a condition holds for. */
export function emptyTables(db: Database.Database, tables: string[], only: Record<string, string> = {}): void {
  // In force until the transaction ends: the order of the tables does not matter.
  db.pragma('defer_foreign_keys = ON');
  // Those that refer to others came later; first, so that no row is looked for in them one by one.
  for (const table of tables.toReversed()) {
    db.exec(`DELETE FROM main."${table}"${only[table] ? ` WHERE ${only[table]}` : ''}`);
  }
}

/** Every table, in the order of their making. */
export function tableNames(db: Database.Database): string[] {
  return db
    .prepare("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .pluck()
    .all() as string[];
}
