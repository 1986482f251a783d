import type { Client } from '../../client/client.js';
import { ApiFailure, NoControlError } from '../../client/failures.js';
import type { EmailSummary } from '../../contract/service/emails.js';
import { formatCondition } from '../../contract/vocabulary/query/format-query.js';
import type { ListedEmail } from './print-arrivals.js';

/**
 * Marks emails that were dropped for every recipient, and messages that are still being parsed. Under /v1 they
 * are `sent` or `scheduled`; only a local server's control API tells them apart.
 */
export async function withSentMarks(client: Client, emails: readonly EmailSummary[]): Promise<ListedEmail[]> {
  const sent = emails.filter(({ status }) => status === 'sent' || status === 'scheduled').map(({ id }) => id);
  if (sent.length === 0) return [...emails];
  const states = new Map<string, MailState>();
  for (let start = 0; start < sent.length; start += IDS_PER_QUERY) {
    const found = await statesOf(client, sent.slice(start, start + IDS_PER_QUERY));
    for (const state of found) states.set(state.id, state);
  }
  return emails.map((email) => {
    const state = states.get(email.id);
    return {
      ...email,
      ...(state?.dropped === 'all' && { dropped: 'all' as const }),
      ...(state?.parsing && { subject: `${email.subject} (parsing)`.trim() }),
    };
  });
}

interface MailState {
  id: string;
  dropped: 'none' | 'some' | 'all';
  parsing: boolean;
}

/** A query has at most 100 conditions and 4 KB. */
const IDS_PER_QUERY = 50;

/** Returns the states of emails; none if the server or the key has no access to them. */
async function statesOf(client: Client, ids: readonly string[]): Promise<MailState[]> {
  const search = ids.map((id) => formatCondition('id', id)).join(' OR ');
  try {
    return (await client.control('emails.search', { query: { search, limit: IDS_PER_QUERY } })).emails;
  } catch (error) {
    if (error instanceof NoControlError || error instanceof ApiFailure) return [];
    throw error;
  }
}
