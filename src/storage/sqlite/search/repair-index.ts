import type Database from 'better-sqlite3';

/** Empties and restores the index of searches. The index follows from other tables, so it is never copied or kept. */

/** The same statements as in schema.sql. */
const CREATE = `CREATE VIRTUAL TABLE search USING fts5 (
  trigrams, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
); INSERT INTO main.search (search, rank) VALUES ('deletemerge', 50)`;

export const EMPTY_INDEX = "INSERT INTO main.search (search) VALUES ('delete-all')";

export function emptyIndex(db: Database.Database): void {
  db.exec(EMPTY_INDEX);
}

/** Marks every email whose content is known as waiting to be indexed. Searches find it meanwhile too. */
export function queueAll(db: Database.Database): void {
  db.exec('INSERT OR IGNORE INTO main.unindexed SELECT email_seq, html_text IS NOT NULL FROM main.email_extracts');
}

/** Returns whether a message of SQLite's check of a file is about the index. */
export function isAboutIndex(message: string): boolean {
  return /FTS5 table (?:main\.)?search\b|fts5: corruption/.test(message);
}

/** Returns whether an error is about the index: it is missing, or its content is damaged. */
export function isIndexError(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string };
  return code === 'SQLITE_CORRUPT_VTAB' || /no such table: (?:main\.)?search\b/.test(message);
}

/** Returns whether the index is missing or damaged. Reads all of it. */
export function isIndexDamaged(db: Database.Database): boolean {
  try {
    return (db.pragma('integrity_check(search)') as { integrity_check: string }[]).some(
      ({ integrity_check }) => integrity_check !== 'ok',
    );
  } catch {
    return true;
  }
}

/** Replaces the index with an empty one. Every email then waits to be indexed. */
export function renewIndex(db: Database.Database): void {
  db.transaction(() => {
    db.exec(`DROP TABLE IF EXISTS main.search; ${CREATE}`);
    queueAll(db);
  }).immediate();
}

/** Renews an index that was lost: it is missing, or empty although it should have emails. Reads a few rows only. */
export function restoreIndex(db: Database.Database): void {
  const exists = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'search'").get() !== undefined;
  if (!exists) renewIndex(db);
  else if (isEmpty(db) && hasIndexed(db)) queueAll(db);
}

function isEmpty(db: Database.Database): boolean {
  return db.prepare('SELECT 1 FROM search_docsize LIMIT 1').get() === undefined;
}

/** Returns whether an email should be in the index. */
function hasIndexed(db: Database.Database): boolean {
  return (
    db.prepare('SELECT 1 FROM email_extracts WHERE email_seq NOT IN (SELECT seq FROM unindexed) LIMIT 1').get() !==
    undefined
  );
}
