import type { EmailFilter } from '../../../core/model/emails.js';
import { json } from './rows.js';

/** Returns the WHERE clause of a filter and the values to bind in it. The clause is empty if the filter has no conditions. */
export function conditionsOf(filter: EmailFilter): { where: string; values: unknown[] } {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, ...bound: unknown[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (filter.status !== undefined) add('status = ?', filter.status);
  if (filter.fromDate !== undefined) add('created_at >= ?', filter.fromDate);
  if (filter.toDate !== undefined) add('created_at <= ?', filter.toDate);
  if (filter.sender !== undefined) add('sender_mailbox = ?', filter.sender);
  if (filter.recipient !== undefined)
    add('seq IN (SELECT email_seq FROM recipients WHERE mailbox = ?)', filter.recipient);
  if (filter.tags?.length) {
    // Uses one condition for all tags, because SQLite limits the depth of an expression.
    const tags = [...new Set(filter.tags)];
    add(
      `seq IN (SELECT email_seq FROM tags WHERE tag IN (SELECT value FROM json_each(?))
         GROUP BY email_seq HAVING count(*) = ?)`,
      json(tags),
      tags.length,
    );
  }
  return { where: conditions.length ? `WHERE ${conditions.join(' AND ')}` : '', values };
}
