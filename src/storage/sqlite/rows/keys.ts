import type Database from 'better-sqlite3';
import type { Row } from '../../common/rows/columns.js';

/** Handles primary keys, and the counters with which SQLite numbers rows. */

/** The largest key that svc reads: JavaScript represents every integer up to it exactly. */
export const KEY_MAX = Number.MAX_SAFE_INTEGER;

/** The largest key allowed in an archive: half of `KEY_MAX`, so that enough numbers are left for new rows. */
export const IMPORTED_KEY_MAX = 2 ** 52;

interface KeyColumn {
  name: string;
  type: string;
}

/** Returns the columns of a table's primary key, in the key's order. */
export function primaryKeyOf(db: Database.Database, table: string): KeyColumn[] {
  return (db.pragma(`main.table_info("${table}")`) as (KeyColumn & { pk: number })[])
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk);
}

/** Returns the integer column that is a table's whole primary key; undefined for any other primary key. */
export function rowNumberOf(db: Database.Database, table: string): string | undefined {
  const [column, ...more] = primaryKeyOf(db, table);
  return column?.type === 'INTEGER' && more.length === 0 ? column.name : undefined;
}

/** Returns a row's primary key as text. Its parts are joined by slashes. */
export function keyText(row: Row, columns: string[]): string {
  return columns.map((name) => String(row[name])).join('/');
}

/** Converts bigints of a row to numbers where these are exact. */
export function withNumbers(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? exactNumber(value) : value]),
  );
}

function exactNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Corrects every AUTOINCREMENT counter that svc cannot have reached, from the numbers of the rows. At the largest
 * integer, SQLite would reject every new row. https://www.sqlite.org/autoinc.html
 */
export function repairCounters(db: Database.Database): void {
  const bad = db
    .prepare(`SELECT name FROM main.sqlite_sequence WHERE typeof(seq) <> 'integer' OR seq NOT BETWEEN 0 AND ?`)
    .pluck()
    .all(IMPORTED_KEY_MAX) as unknown[];
  for (const name of new Set(bad)) {
    const counts = db
      .prepare("SELECT 1 FROM main.sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'")
      .get(name);
    const rows = counts ? `SELECT coalesce(max(rowid), 0) FROM main."${name}" WHERE rowid <= ${KEY_MAX}` : '0';
    db.prepare(`UPDATE main.sqlite_sequence SET seq = (${rows}) WHERE name IS ?`).run(name);
  }
}
