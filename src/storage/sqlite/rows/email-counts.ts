import type Database from 'better-sqlite3';
import type { Columns } from './columns.js';

/** Defines how emails are counted: per value of a field, and per block of consecutive numbers. */

/** The fields whose values are counted. `size` counts classes of sizes, and `has` emails with HTML. */
export type CountedField = 'status' | 'sender' | 'tag' | 'hour' | 'origin' | 'size' | 'is' | 'has';

/** A change of the number of emails whose field has a value. */
export interface EmailCount {
  field: CountedField;
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
  origin: string;
  size: number;
  isRead: boolean;
  hasHtml: boolean;
}

/** The columns for `readCounted`. */
export const COUNTED_COLUMNS = `seq, status, sender_mailbox, tags, created_at, origin, size, read_at IS NOT NULL,
  EXISTS (SELECT 1 FROM bodies WHERE email_seq = seq AND (html <> '' OR html_key IS NOT NULL))`;

/** Reads a row of `COUNTED_COLUMNS`. */
export function readCounted(row: unknown): CountedEmail {
  const [seq, status, sender, tags, createdAt, origin, size, isRead, hasHtml] = row as [
    ...[number, string, string, string, number, string, number],
    ...[0 | 1, 0 | 1],
  ];
  return {
    ...{ seq, status, sender, tags: JSON.parse(tags) as string[], createdAt, origin, size },
    ...{ isRead: isRead === 1, hasHtml: hasHtml === 1 },
  };
}

/** Returns the changes of counts when an email is added (1) or removed (-1). */
export function countsOfEmail(email: CountedEmail, by: number): EmailCount[] {
  const { seq } = email;
  const counts: EmailCount[] = [
    { field: 'status', value: email.status, seq, by },
    { field: 'sender', value: email.sender, seq, by },
    { field: 'hour', value: hourOf(email.createdAt), seq, by },
    { field: 'origin', value: email.origin, seq, by },
    { field: 'size', value: sizeClass(email.size), seq, by },
  ];
  for (const tag of new Set(email.tags)) counts.push({ field: 'tag', value: tag, seq, by });
  if (email.isRead) counts.push({ field: 'is', value: 'read', seq, by });
  if (email.hasHtml) counts.push({ field: 'has', value: 'html', seq, by });
  return counts;
}

/** The bits of a number within its block. */
export const BLOCK_BITS = 10;
export const HOUR_MS = 3_600_000;

/** Returns the hour of an instant as it is counted. Later hours sort after earlier ones. */
export function hourOf(instant: number): string {
  return String(Math.max(0, Math.floor(instant / HOUR_MS))).padStart(8, '0');
}

/** Returns the first instant of an hour as it is counted. */
export function startOfHour(hour: string): number {
  return Number(hour) * HOUR_MS;
}

/** Returns the class of a size as it is counted: its number of bits. Larger classes sort after smaller ones. */
export function sizeClass(size: number): string {
  return String(size < 1 ? 0 : Math.floor(Math.log2(size)) + 1).padStart(2, '0');
}

/** Defines the functions that `recountEmails` and `recountBlock` call, and migrations. */
export function defineCountFunctions(db: Database.Database): void {
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
  SELECT 'tag', tag, email_seq >> ${BLOCK_BITS}, count(*) FROM tags ${where('email_seq')}
    GROUP BY tag, email_seq >> ${BLOCK_BITS}
  UNION ALL
  SELECT 'hour', printf('%08d', created_at / ${HOUR_MS}), seq >> ${BLOCK_BITS}, count(*) FROM emails ${where('seq')}
    GROUP BY created_at / ${HOUR_MS}, seq >> ${BLOCK_BITS}
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
    ${where('email_seq') || 'WHERE 1'} AND (html <> '' OR html_key IS NOT NULL) GROUP BY email_seq >> ${BLOCK_BITS}`;

/** Emails with a value of a field; all emails without one. */
export interface Counted {
  field: CountedField;
  value?: string | undefined;
}

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

/** Checks a row of `email_counts`. */
export function readEmailCount(row: Columns): void {
  for (const name of ['field', 'value']) row.text(name);
  row.integer('block');
  row.integer('count', 0);
}
