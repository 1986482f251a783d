import type Database from 'better-sqlite3';
import type { Columns } from './columns.js';

/** Defines how emails are counted: per value of a field, and per block of consecutive numbers. */

/** A change of the number of emails whose field has a value. */
export interface EmailCount {
  field: 'status' | 'sender' | 'tag' | 'hour';
  value: string;
  seq: number;
  /** 1 for one more, -1 for one fewer. */
  by: number;
}

/** The values of an email under which it is counted. */
export interface CountedEmail {
  seq: number;
  status: string;
  sender: string;
  tags: readonly string[];
  createdAt: number;
}

/** Reads a row of `seq, status, sender_mailbox, tags, created_at`. */
export function readCounted(row: unknown): CountedEmail {
  const [seq, status, sender, tags, createdAt] = row as [number, string, string, string, number];
  return { seq, status, sender, tags: JSON.parse(tags) as string[], createdAt };
}

/** The bits of a number within its block. */
export const BLOCK_BITS = 10;
const HOUR_MS = 3_600_000;

/** Returns the hour of an instant as it is counted. Later hours sort after earlier ones. */
export function hourOf(instant: number): string {
  return String(Math.max(0, Math.floor(instant / HOUR_MS))).padStart(8, '0');
}

/** SQL that counts the emails of all blocks, or of those in a condition, from their rows. */
const countsOf = (where = (_column: string) => '') => `
  INSERT INTO email_counts
  SELECT 'status', status, seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq')} GROUP BY status, seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'sender', sender_mailbox, seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq')}
    GROUP BY sender_mailbox, seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'tag', tag, email_seq >> ${BLOCK_BITS}, count(*) FROM tags ${where('email_seq')}
    GROUP BY tag, email_seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'hour', printf('%08d', created_at / ${HOUR_MS}), seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq')}
    GROUP BY created_at / ${HOUR_MS}, seq >> ${BLOCK_BITS}`;

/** Emails with a value of a field; all emails without one. */
export interface Counted {
  field: EmailCount['field'];
  value?: string;
}

/** Counts all emails again. */
export function recountEmails(db: Database.Database): void {
  db.exec(`DELETE FROM main.email_counts; ${countsOf()}`);
}

/** Counts the emails again that are in the same block as one of them. */
export function recountBlock(db: Database.Database, seq: number | bigint): void {
  const block = BigInt(seq) >> BigInt(BLOCK_BITS);
  const [first, last] = [block << BigInt(BLOCK_BITS), ((block + 1n) << BigInt(BLOCK_BITS)) - 1n];
  db.exec(`DELETE FROM main.email_counts WHERE block = ${block};
    ${countsOf((column) => `WHERE ${column} BETWEEN ${first} AND ${last}`)}`);
}

/** Checks a row of `email_counts`. */
export function readEmailCount(row: Columns): void {
  for (const name of ['field', 'value']) row.text(name);
  row.integer('block');
  row.integer('count', 0);
}
