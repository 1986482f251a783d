import { QueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Client } from '../client/client.js';
import { invalidator } from './api/calls.js';
import { isFinal } from './api/failures.js';
import { followVisibility } from './api/hidden-tabs.js';
import { Live } from './api/live.js';
import { Session } from './api/session.js';
import { tabStorage } from './api/tab-storage.js';
import { UndoOffer } from './api/undo-offer.js';
import { App } from './app/app.js';
import { firstReads } from './app/first-reads.js';
import { notifyOf } from './app/notifications.js';
import { applyTheme, storedTheme } from './app/theme.js';
import { dropEarlyResponses } from './start/early-responses.js';
import { basePath, siteUrl } from './start/site.js';

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
    // The server is on this machine or near it: it is there without the Internet, too.
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
