import { QueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Client } from '../client/client.js';
import { controlQuery, type Inbox, invalidator } from './api/calls.js';
import { isFinal } from './api/failures.js';
import { Live } from './api/live.js';
import { Session } from './api/session.js';
import { basePath, dropEarlyResponses, siteUrl } from './api/site.js';
import { tabStorage } from './api/tab-storage.js';
import { UndoOffer } from './api/undo-offer.js';
import { App } from './app/app.js';
import { notifyOf } from './common/notifications.js';
import { applyTheme, storedTheme } from './common/theme.js';
import { searchOf } from './pages/emails/addresses.js';
import { pageQuery } from './pages/emails/list/use-email-rows.js';

/** The lock of the hidden tab that stays connected. */
const LOCK = 'svc-inbox-hidden-tab';

/**
 * Disconnects hidden tabs, because a browser opens only six connections to a host. One hidden tab stays connected, for
 * its title and desktop notifications; none where the browser has no locks, as over HTTP from another machine.
 */
function followVisibility(live: Live): void {
  let hidden = new AbortController();
  const onChange = () => {
    hidden.abort();
    if (document.hidden) {
      hidden = new AbortController();
      void whileHidden(live, hidden.signal);
    } else live.pause(false);
  };
  document.addEventListener('visibilitychange', onChange);
  onChange();
}

async function whileHidden(live: Live, shown: AbortSignal): Promise<void> {
  /** Keeps the lock until the tab is shown. */
  const stayConnected = async () => {
    if (shown.aborted) return;
    live.pause(false);
    await new Promise((resolve) => shown.addEventListener('abort', resolve));
  };
  const locks = navigator.locks as LockManager | undefined;
  const isFirst = await locks?.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock) await stayConnected();
    return lock !== null;
  });
  if (isFirst || shown.aborted) return;
  live.pause(true);
  // Takes over when the other tab is shown or closed. Rejects if this one is shown first.
  await locks?.request(LOCK, { signal: shown }, stayConnected).catch(() => {});
}

/** Milliseconds to wait for the first reads, so that the list is drawn once, instead of first without its rows. */
const PATIENCE_MS = 250;

applyTheme(storedTheme());
const start = `${basePath()}/inbox/`;
if (!location.pathname.startsWith(start))
  history.replaceState(null, '', `${start}emails${location.search}${location.hash}`);

const session = new Session(siteUrl(), tabStorage);
const code = /^#code=(.+)$/.exec(location.hash)?.[1];
const client = new Client({ baseUrl: `${siteUrl()}/v1`, apiKey: null, userAgent: '', fetch: session.fetch });
const queries = new QueryClient({
  defaultOptions: {
    // The server is on this machine or near it, and can be reached without the Internet.
    queries: {
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && !isFinal(error),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
    },
    mutations: { networkMode: 'always' },
  },
});
const live = new Live({ client, onChange: invalidator(queries), onEvent: notifyOf });
followVisibility(live);

const inbox = { client, session, live, undo: new UndoOffer() };
const root = document.getElementById('root');
// A code opens the session instead.
const ready = code === undefined ? firstReads(inbox, queries).finally(dropEarlyResponses) : undefined;
const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
void Promise.race([ready, patience]).then(() => {
  if (root) createRoot(root).render(<App inbox={inbox} queries={queries} code={code} />);
});

/** Opens the session and reads what the list shows. Resolves after that, even if a call failed: components show why. */
async function firstReads({ client, session }: Inbox, queries: QueryClient): Promise<void> {
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
