import { replaceEqualDeep, useQueries } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Client } from '../../../../client/client.js';
import type { ControlOperations } from '../../../../client/operations.js';
import { controlQuery, useControl, useInbox } from '../../../api/calls.js';
import { type ListPage, PAGE, pageParameters } from '../addresses.js';

type Found = ControlOperations['emails.search']['result'];
export type EmailRow = Found['emails'][number];

/** Milliseconds for which pages are kept that are out of view. */
const KEPT_MS = 10_000;

export interface EmailRows {
  /** Number of rows; it may grow while the user scrolls. */
  count: number;
  /** Whether `count` is the number of all matches. */
  isExact: boolean;
  /** Returns a row; undefined while it is read. */
  row(index: number): EmailRow | undefined;
  loaded: readonly EmailRow[];
  /** Returns the index of an email; -1 if it is not loaded. */
  indexOf(id: string): number;
  error: unknown;
  isLoading: boolean;
  /** Whether a page is being read. */
  isReading: boolean;
  /** Where the server stopped to search, because no index helps; undefined if it searched all emails. */
  continueFrom: string | undefined;
  retry(): void;
}

/** Numbers of pages, the last included. */
export interface Pages {
  first: number;
  last: number;
}

/**
 * Reads the pages of the list that are shown, and those around the row at `cursor`, -1 for none. `before` is a cursor
 * of the server: only older emails are listed.
 */
export function useEmailRows(search: string, before: string | undefined, shown: Pages, cursor: number): EmailRows {
  const { client } = useInbox();
  const around = cursor < 0 ? [] : numbersOf(pagesAround(cursor, cursor));
  const pages = [...new Set([...numbersOf(shown), ...around])].sort((one, other) => one - other);
  const results = useQueries({
    queries: pages.map((page) => ({
      ...pageQuery(client, { search, before, page }),
      structuralSharing: shareRows,
      gcTime: KEPT_MS,
    })),
  });
  const total = useTotal(search, before);
  const byPage = new Map(pages.map((page, index) => [page, results[index]]));
  const found = results.flatMap(({ data }) => (data ? [data] : []));
  const exact = found.find((data) => data.total_exact);
  const stopped = pages.flatMap((page, index) => {
    const data = results[index]?.data;
    return data?.next && data.total <= (page + 1) * PAGE ? [data.next] : [];
  });
  const rows: EmailRows = {
    count: exact?.total ?? total ?? Math.max(0, ...found.map((data) => data.total)),
    isExact: exact !== undefined || total !== undefined,
    row: (index) => byPage.get(Math.floor(index / PAGE))?.data?.emails[index % PAGE],
    indexOf: (id) => {
      for (const page of pages) {
        const index = byPage.get(page)?.data?.emails.findIndex((email) => email.id === id) ?? -1;
        if (index >= 0) return page * PAGE + index;
      }
      return -1;
    },
    loaded: found.flatMap((data) => data.emails),
    error: results.find(({ error }) => error)?.error ?? undefined,
    isLoading: results[0]?.isPending ?? false,
    isReading: results.some(({ isFetching }) => isFetching),
    continueFrom: stopped[0],
    retry: () => void Promise.all(results.map((result) => result.refetch())),
  };
  return useLastWhileLoading(rows);
}

/** Returns the query that reads one page of the list. */
export function pageQuery(client: Client, page: ListPage) {
  return controlQuery(client, 'emails.search', { query: pageParameters(page) });
}

/** Keeps the objects of rows that are the same, wherever they moved: an email that arrives draws only its own row. */
function shareRows(before: unknown, after: unknown): Found {
  const rows = new Map((before as Found | undefined)?.emails.map((email) => [email.id, email]));
  const { emails, ...rest } = after as Found;
  return { ...rest, emails: emails.map((email) => replaceEqualDeep(rows.get(email.id), email)) };
}

/** Returns the pages of rows, and those at their borders, so that scrolling meets rows. */
export function pagesAround(firstRow: number, lastRow: number): Pages {
  return { first: Math.max(0, Math.floor((firstRow - 20) / PAGE)), last: Math.floor((lastRow + 20) / PAGE) };
}

function numbersOf({ first, last }: Pages): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Returns the number of all emails, which the server counts at once; undefined for another search. */
function useTotal(search: string, before: string | undefined): number | undefined {
  const { data } = useControl('summary', {});
  if (search !== '' || before !== undefined || !data) return undefined;
  return Object.values(data.emails).reduce((sum, count) => sum + count, 0);
}

/** Keeps the rows of the last search until the first page of the next one arrives. */
function useLastWhileLoading(rows: EmailRows): EmailRows {
  const last = useRef(rows);
  if (rows.isLoading && rows.error === undefined && rows.count === 0 && last.current.loaded.length > 0) {
    return { ...last.current, isLoading: true };
  }
  last.current = rows;
  return rows;
}
