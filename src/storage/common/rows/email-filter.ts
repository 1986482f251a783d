import type { EmailFilter } from '../../../core/model/emails.js';
import type { Dialect, Sql } from '../sql.js';
import type { Counted } from './email-counts.js';

/** A list of emails in SQL. The texts hold all that a database needs to prepare it. */
export interface FilteredEmails {
  /** The FROM clause. Its first table has the rows in the order of the list. */
  from: string;
  /** The column with the emails' numbers in the first table. */
  seq: string;
  /** Conditions, each with AND before it. */
  where: string;
  values: unknown[];
}

/** The condition whose emails a list reads, to test the others on them: the one with the fewest emails. */
export type ReadFirst = 'recipient' | 'tag' | 'status' | 'sender' | 'all';

const fromOf = ({ joinInOrder, indexedBy }: Dialect): Record<ReadFirst, readonly [from: string, seq: string]> => ({
  recipient: [`recipients ${joinInOrder} emails ON emails.seq = recipients.email_seq`, 'recipients.email_seq'],
  tag: [`tags ${joinInOrder} emails ON emails.seq = tags.email_seq`, 'tags.email_seq'],
  status: [indexedBy('emails', 'emails_status'), 'emails.seq'],
  sender: [indexedBy('emails', 'emails_sender'), 'emails.seq'],
  all: ['emails', 'emails.seq'],
});

/** Returns the emails that pass a filter. `statuses` replaces its status. */
export function filtered(
  { dialect, list }: Pick<Sql, 'dialect' | 'list'>,
  filter: EmailFilter,
  first: ReadFirst,
  statuses?: readonly string[],
): FilteredEmails {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, ...bound: unknown[]) => {
    conditions.push(` AND ${condition}`);
    values.push(...bound);
  };
  const tags = [...new Set(filter.tags)];
  const [from, seq] = fromOf(dialect)[first];
  if (filter.recipient !== undefined) {
    if (first === 'recipient') add('recipients.mailbox = ?', filter.recipient);
    else add(`EXISTS (SELECT 1 FROM recipients WHERE email_seq = ${seq} AND mailbox = ?)`, filter.recipient);
  }
  if (first === 'tag') add('tags.tag = ? AND tags.added = 0', tags.shift());
  if (filter.workspace === null) add('emails.workspace IS NULL');
  else if (filter.workspace !== undefined) add('emails.workspace = ?', filter.workspace);
  if (statuses !== undefined) add(dialect.among('emails.status'), list(statuses));
  else if (filter.status !== undefined) add('emails.status = ?', filter.status);
  if (filter.fromDate !== undefined) add('created_at >= ?', filter.fromDate);
  if (filter.toDate !== undefined) add('created_at <= ?', filter.toDate);
  if (filter.sender !== undefined) add('sender_mailbox = ?', filter.sender);
  // Uses one condition for all other tags, because SQLite limits the depth of an expression.
  if (tags.length > 0) {
    add(
      `(SELECT count(*) FROM tags AS other WHERE other.email_seq = ${seq} AND other.added = 0
         AND ${dialect.among('other.tag')}) = ?`,
      list(tags),
      tags.length,
    );
  }
  return { from, seq, where: conditions.join(''), values };
}

/** Returns under which value the emails of a filter are counted; undefined for other filters. */
export function countedAs({ status, sender, tags = [], ...others }: EmailFilter): Counted | undefined {
  const [tag, ...otherTags] = new Set(tags);
  const conditions = [status, sender, tag, ...otherTags, ...Object.values(others)].filter((each) => each !== undefined);
  if (conditions.length > 1) return undefined;
  if (status !== undefined) return { field: 'status', value: status };
  if (sender !== undefined) return { field: 'sender', value: sender };
  if (tag !== undefined) return { field: 'tag', value: tag };
  return conditions.length === 0 ? { field: 'status' } : undefined;
}
