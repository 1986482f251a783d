import type Database from 'better-sqlite3';

/** What outlives a reset: the keys; the clock and the secret of tracking links, which are settings. */
const KEPT_TABLES = new Set(['api_keys', 'settings']);

/** Empties the database inside a transaction. Sequence numbers go on rising, for those who follow events or requests. */
export function emptyTables(db: Database.Database): void {
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .pluck()
    .all() as string[];
  // In force until the transaction ends: the order of the tables does not matter.
  db.pragma('defer_foreign_keys = ON');
  for (const table of tables.filter((name) => !KEPT_TABLES.has(name))) {
    // A subscription that somebody reads at this moment stays with its reader.
    db.exec(`DELETE FROM "${table}"${table === 'webhooks' ? ' WHERE ephemeral = 0' : ''}`);
  }
}
