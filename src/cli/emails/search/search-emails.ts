import type { Client } from '../../../client/client.js';
import type { Pagination } from '../../../contract/fields.js';
import type { EmailSummary } from '../../../contract/service/emails.js';
import { PAGE_SIZE_MAX } from '../../../contract/vocabulary/limits.js';
import { readDateBound } from '../../../contract/vocabulary/parsers/instant.js';
import { allOf, formatCondition } from '../../../contract/vocabulary/query/format-query.js';
import type { Page } from '../all-pages.js';
import { conditionOf } from '../query-flags.js';

/** Reads the emails that match a query from a local server. */

/** A page of a search in the form of a page of a list. */
export interface SearchPage {
  emails: EmailSummary[];
  pagination: Pagination;
  /** Whether `pagination.total` is exact. If not, it is the number of matches found before the search stopped counting. */
  total_exact: boolean;
  /** Position of the next page; null on the last one. */
  next: string | null;
}

export async function searchPage(
  client: Client,
  search: string,
  page: { limit: number; offset?: number; cursor?: string },
): Promise<SearchPage> {
  const call = { query: { search, ...page } } as object;
  const { emails, total, total_exact, next } = (await client.control(
    'emails.search' as 'summary',
    call,
  )) as unknown as {
    emails: EmailSummary[];
    total: number;
    total_exact: boolean;
    next: string | null;
  };
  const { limit, offset = 0 } = page;
  return { emails, pagination: { total, limit, offset, has_more: next !== null }, total_exact, next };
}

/** Reads all matches. Emails that arrive meanwhile do not move the pages. */
export async function* allMatches(client: Client, search: string, start: number): AsyncGenerator<Page<EmailSummary>> {
  let count = 0;
  let at: { offset: number } | { cursor: string } = { offset: start };
  for (;;) {
    const { emails, pagination, next } = await searchPage(client, search, { limit: PAGE_SIZE_MAX, ...at });
    count += emails.length;
    const end = start + count;
    const total = next === null ? end : Math.max(pagination.total, end);
    yield { items: emails, pagination: { ...pagination, offset: start, total } };
    if (next === null) return;
    at = { cursor: next };
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
    to && conditionOf('recipient', to, '--to'),
    from && conditionOf('from', from),
    ...tag.map((each) => formatCondition('tag', each)),
    typeof first === 'number' && formatCondition('after', at(first)),
    // The end of a period belongs to it.
    typeof last === 'number' && formatCondition('before', at(last + 1)),
  ];
  return allOf([...conditions.filter((condition) => typeof condition === 'string'), search]);
}
