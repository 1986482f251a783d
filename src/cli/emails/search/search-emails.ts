import type { Client } from '../../../client/client.js';
import type { Pagination } from '../../../contract/fields.js';
import type { EmailSummary } from '../../../contract/service/emails.js';
import { readDateBound } from '../../../contract/vocabulary/instants.js';
import { PAGE_SIZE_MAX } from '../../../contract/vocabulary/limits.js';
import { allOf, formatCondition } from '../../../contract/vocabulary/query/format-query.js';
import type { Page } from '../../command/all-pages.js';
import { conditionOf } from '../query-flags.js';

/** Reads the emails that match a query from a local server. */

/** A page of a search in the form of a page of a list. */
export interface SearchPage {
  emails: EmailSummary[];
  pagination: Pagination;
  /** Whether all matches were counted. If not, `pagination.total` is the number of those that were. */
  total_exact: boolean;
}

interface Part {
  emails: EmailSummary[];
  /** Number of matches that were counted, with those that `offset` skips. */
  total: number;
  total_exact: boolean;
  next: string | null;
}

/**
 * Reads matches in parts, newest first. A part can be short or empty, because the server searches a limited number of
 * emails at once. `limit` returns the number of emails that the next part may have.
 */
async function* partsOf(client: Client, search: string, offset: number, limit: () => number): AsyncGenerator<Part> {
  let skip = offset;
  let cursor: string | undefined;
  for (;;) {
    const query = { search, limit: limit(), offset: skip, ...(cursor !== undefined && { cursor }) };
    const part: Part = await client.control('emails.search', { query });
    yield part;
    if (part.next === null) return;
    cursor = part.next;
    skip = Math.max(0, skip - part.total);
  }
}

/** Reads one page, with as many emails as match up to its limit. */
export async function searchPage(
  client: Client,
  search: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<SearchPage> {
  const emails: EmailSummary[] = [];
  let counted = 0;
  for await (const { next, total, total_exact, ...part } of partsOf(
    client,
    search,
    offset,
    () => limit - emails.length,
  )) {
    emails.push(...part.emails);
    const isFirst = counted === 0;
    counted += total;
    if (next !== null && emails.length < limit) continue;
    const pagination = { total: counted, limit, offset, has_more: next !== null };
    return { emails, pagination, total_exact: next === null || (isFirst && total_exact) };
  }
  throw new TypeError('a search has at least one part');
}

/** Reads all matches. Emails that arrive meanwhile do not move the pages. */
export async function* allMatches(client: Client, search: string, offset: number): AsyncGenerator<Page<EmailSummary>> {
  const limit = PAGE_SIZE_MAX;
  let end = offset;
  for await (const { emails, total, next } of partsOf(client, search, offset, () => limit)) {
    end += emails.length;
    const has_more = next !== null;
    yield { items: emails, pagination: { total: has_more ? Math.max(total, end) : end, limit, offset, has_more } };
  }
}

export interface ListFilters {
  status?: string | undefined;
  to?: string | undefined;
  from?: string | undefined;
  tag?: string[] | undefined;
  /** Times in ISO 8601. */
  since?: string | undefined;
  until?: string | undefined;
}

/** Returns a query that matches what both a query and the filters of a list match. */
export function withFilters(search: string, filters: ListFilters): string {
  const { status, to, from, tag = [], since, until } = filters;
  const first = since && readDateBound(since, 'first');
  const last = until && readDateBound(until, 'last');
  const at = (milliseconds: number) => new Date(milliseconds).toISOString();
  const conditions = [
    status && formatCondition('status', status),
    to && conditionOf('to', to),
    from && conditionOf('from', from),
    ...tag.map((each) => formatCondition('tag', each)),
    typeof first === 'number' && formatCondition('after', at(first)),
    // The end of a period belongs to it.
    typeof last === 'number' && formatCondition('before', at(last + 1)),
  ];
  return allOf([...conditions.filter((condition) => typeof condition === 'string'), search]);
}
