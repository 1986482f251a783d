import type { QueryClient } from '@tanstack/react-query';
import { controlQuery, type Inbox } from '../api/calls.js';
import { pageQuery } from '../pages/emails/list/use-email-rows.js';
import { searchOf } from '../pages/emails/search/search-address.js';
import { basePath } from '../start/site.js';

/** Opens the session and reads what the list shows. Resolves after that, even if a call failed: components show why. */
export async function firstReads({ client, session }: Inbox, queries: QueryClient): Promise<void> {
  try {
    await session.open();
  } catch {
    return;
  }
  const { pathname, search } = location;
  const page = pageQuery(client, { ...searchOf(new URLSearchParams(search)), page: 0 });
  await Promise.all([
    queries.prefetchQuery(controlQuery(client, 'summary', {})),
    pathname === `${basePath()}/inbox/emails` && queries.prefetchQuery(page),
  ]);
}
