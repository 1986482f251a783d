import type { QueryClient } from '@tanstack/react-query';
import { controlQuery, type Inbox } from '../api/calls.js';
import { pageQuery } from '../pages/emails/list/use-email-rows.js';
import { searchOf } from '../pages/emails/search/search-address.js';

/** Opens the session and reads what the list shows, while its components are made. They show why a call failed. */
export async function startFirstReads({ client, session }: Inbox, queries: QueryClient): Promise<void> {
  try {
    await session.open();
  } catch {
    return;
  }
  void queries.prefetchQuery(controlQuery(client, 'summary', {}));
  const { pathname, search } = location;
  if (pathname !== '/inbox/emails') return;
  void queries.prefetchQuery(pageQuery(client, { ...searchOf(new URLSearchParams(search)), page: 0 }));
}
