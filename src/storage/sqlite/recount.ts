import type Database from 'better-sqlite3';
import { BLOCK_BITS, HOUR_MS, sizeClass } from '../common/rows/email-counts.js';

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
