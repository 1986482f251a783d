import type Database from 'better-sqlite3';
import { BLOCK_BITS, HOUR_MS, sizeClass } from '../common/rows/email-counts.js';
import { IS_UNREFERENCED } from '../common/tables/mail/contents.js';
import { KEY_MAX, repairCounters } from './rows/keys.js';
import { emptyIndex } from './search/repair-index.js';

/**
 * Tables that a reset keeps: API keys with their workspaces, settings (the clock, the secret of tracking links), and the
 * audit log.
 */
const KEPT_TABLES = new Set(['api_keys', 'settings', 'workspaces', 'audit']);

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

/** Deletes every chunk that no row refers to. Call it only while no process is storing a content. */
export function deleteUnreferencedChunks(db: Database.Database): void {
  db.exec(`DELETE FROM main.chunks WHERE ${IS_UNREFERENCED}`);
}

/** Counts emails from their rows. */

/** Defines the function that `recountEmails` and `recountBlock` call. */
function defineCountFunctions(db: Database.Database): void {
  db.function('size_class', { deterministic: true }, (size) => sizeClass(Number(size)));
}

/** SQL that counts the emails of all blocks, or of those in a condition, from their rows. */
const countsOf = (where = (_column: string) => '') => `
  INSERT INTO email_counts
  SELECT 'status', status, seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq')} GROUP BY status, seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'sender', sender_mailbox, seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq')}
    GROUP BY sender_mailbox, seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT CASE added WHEN 0 THEN 'tag' ELSE 'added_tag' END, tag, email_seq >> ${BLOCK_BITS}, count(*)
    FROM tags ${where('email_seq')} GROUP BY added, tag, email_seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'hour', printf('%08d', created_at / ${HOUR_MS}), seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq')}
    GROUP BY created_at / ${HOUR_MS}, seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'workspace', workspace, seq >> ${BLOCK_BITS}, count(*) FROM emails
    ${where('seq') || 'WHERE 1'} AND workspace IS NOT NULL GROUP BY workspace, seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'origin', origin, seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq')} GROUP BY origin, seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'size', size_class(size) AS class, seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq')}
    GROUP BY class, seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'is', 'read', seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq') || 'WHERE 1'} AND read_at IS NOT NULL
    GROUP BY seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'has', 'html', email_seq >> ${BLOCK_BITS}, count(*) FROM bodies INDEXED BY bodies_with_html
    ${where('email_seq') || 'WHERE 1'} AND html_size > 0 GROUP BY email_seq >> ${BLOCK_BITS}`;

/** Counts all emails again. */
export function recountEmails(db: Database.Database): void {
  defineCountFunctions(db);
  db.exec(`DELETE FROM main.email_counts; ${countsOf()}`);
}

/** Counts the emails again that are in the same block as one of them. */
export function recountBlock(db: Database.Database, seq: number | bigint): void {
  defineCountFunctions(db);
  const block = BigInt(seq) >> BigInt(BLOCK_BITS);
  const [first, last] = [block << BigInt(BLOCK_BITS), ((block + 1n) << BigInt(BLOCK_BITS)) - 1n];
  db.exec(`DELETE FROM main.email_counts WHERE block = ${block};
    ${countsOf((column) => `WHERE ${column} BETWEEN ${first} AND ${last}`)}`);
}
