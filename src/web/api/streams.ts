import { useEffect, useSyncExternalStore } from 'react';
import type { Client } from '../../client/client.js';
import { readServerSentItems } from '../../client/event-source.js';
import { ApiFailure, UnreachableError } from '../../client/failures.js';
import { useInbox } from './calls.js';
import type { Live } from './live.js';
import { SignInRequired } from './session.js';

/** The streams of what the events of the server do not announce, and the groups of data that they change. */
const STREAMS = {
  'deliveries.stream': ['deliveries', 'webhooks'],
  'requests.stream': ['requests'],
} as const;

type StreamName = keyof typeof STREAMS;

/** What ends a stream without a fault of the page. */
const EXPECTED = [UnreachableError, ApiFailure, SignInRequired];

/**
 * Keeps the data that a stream announces up to date while the component is shown. Use it once on a page. What no stream
 * announces, such as a webhook that a command created, is read again when the window gets the focus.
 */
export function useStreamedChanges(name: StreamName): void {
  const { client, live } = useInbox();
  const isLive = useSyncExternalStore(live.subscribe, () => live.state === 'live');
  useEffect(() => {
    if (!isLive) return;
    const ended = new AbortController();
    void follow(client, live, name, ended.signal);
    const onFocus = () => live.reportChange(STREAMS[name]);
    window.addEventListener('focus', onFocus, { signal: ended.signal });
    return () => ended.abort();
  }, [client, live, name, isLive]);
}

async function follow(client: Client, live: Live, name: StreamName, ended: AbortSignal): Promise<void> {
  let isReady = false;
  try {
    for await (const item of readServerSentItems(client.stream(name, { query: {} }, ended))) {
      // The first comment comes when no item can be missed; later ones only show that the connection lives.
      if (item === 'comment' && isReady) continue;
      isReady = true;
      live.reportChange(STREAMS[name]);
    }
  } catch (error) {
    if (!ended.aborted && !EXPECTED.some((kind) => error instanceof kind)) console.error(error);
  }
}
