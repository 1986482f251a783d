import type { Client } from '../../client/client.js';
import { ApiFailure, NoControlError } from '../../client/failures.js';
import type { EmailSummary } from '../../contract/service/emails.js';
import { PAGE_SIZE_MAX } from '../../contract/vocabulary/limits.js';
import { allOf, formatCondition } from '../../contract/vocabulary/query/format-query.js';
import type { ListedEmail } from './email-table.js';

/**
 * Marks emails that were dropped for a recipient. Under /v1 they are `sent`; only a local server's control API has the
 * states of recipients.
 */
export async function withDropMarks(client: Client, emails: readonly EmailSummary[]): Promise<ListedEmail[]> {
  const sent = emails.filter(({ status }) => status === 'sent').map(({ id }) => id);
  if (sent.length === 0) return [...emails];
  const dropped = await droppedAmong(client, sent);
  return emails.map((email) => (dropped.has(email.id) ? { ...email, dropped: true } : email));
}

async function droppedAmong(client: Client, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const search = allOf([ids.map((id) => formatCondition('id', id)).join(' OR '), 'is:suppressed']);
  try {
    const { emails } = await client.control('emails.search', { query: { search, limit: PAGE_SIZE_MAX } });
    return new Set(emails.map(({ id }) => id));
  } catch (error) {
    if (error instanceof NoControlError || error instanceof ApiFailure) return new Set();
    throw error;
  }
}
