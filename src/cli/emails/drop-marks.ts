import type { Client } from '../../client/client.js';
import { ApiFailure, NoControlError } from '../../client/failures.js';
import type { EmailSummary } from '../../contract/service/emails.js';
import { allOf, formatCondition } from '../../contract/vocabulary/query/format-query.js';
import type { ListedEmail } from './email-table.js';

/**
 * Marks emails that were dropped for every recipient. Under /v1 they are `sent`; only a local server's control API has
 * the states of recipients.
 */
export async function withDropMarks(client: Client, emails: readonly EmailSummary[]): Promise<ListedEmail[]> {
  const sent = emails.filter(({ status }) => status === 'sent').map(({ id }) => id);
  if (sent.length === 0) return [...emails];
  const dropped = new Set<string>();
  for (let start = 0; start < sent.length; start += IDS_PER_QUERY) {
    for (const id of await droppedAmong(client, sent.slice(start, start + IDS_PER_QUERY))) dropped.add(id);
  }
  return emails.map((email) => (dropped.has(email.id) ? { ...email, dropped: 'all' } : email));
}

/** A query has at most 100 conditions and 4 KB. */
const IDS_PER_QUERY = 50;

/** Returns the IDs of those that were dropped; none if the server or the key has no access to the states. */
async function droppedAmong(client: Client, ids: readonly string[]): Promise<string[]> {
  const search = allOf([ids.map((id) => formatCondition('id', id)).join(' OR '), 'is:suppressed']);
  try {
    const { emails } = await client.control('emails.search', { query: { search, limit: IDS_PER_QUERY } });
    return emails.filter(({ dropped }) => dropped === 'all').map(({ id }) => id);
  } catch (error) {
    if (error instanceof NoControlError || error instanceof ApiFailure) return [];
    throw error;
  }
}
