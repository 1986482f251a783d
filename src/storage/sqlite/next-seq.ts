import { KEY_MAX } from './rows/keys.js';

const highest = (table: string, key: string, where = '') =>
  `(SELECT coalesce(max(${key}), 0) FROM ${table} WHERE ${key} < ${KEY_MAX}${where})`;

/**
 * SQL for the number of the next email. A received message takes a number before it becomes an email. The number of a
 * deleted email is not used again. Ignores rows above the range that svc reads, or every later row would be above it
 * too.
 */
export const NEXT_SEQ = `1 + max(0, ${highest('sqlite_sequence', 'seq', " AND name = 'emails'")},
  ${highest('emails', 'seq')}, ${highest('received', 'email_seq')})`;
