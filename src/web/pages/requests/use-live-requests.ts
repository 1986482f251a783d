import { useEffect, useSyncExternalStore } from 'react';
import type { Client } from '../../../client/client.js';
import { readServerSentItems } from '../../../client/event-source.js';
import { ApiFailure, UnreachableError } from '../../../client/failures.js';
import { useInbox } from '../../api/calls.js';
import type { Live } from '../../api/live.js';
import { SignInRequired } from '../../api/session.js';

/** What ends the stream without a fault of the page. */
const EXPECTED = [UnreachableError, ApiFailure, SignInRequired];

/** Reads the request log again when a request arrives, while the component is shown. The server's events have none. */
export function useLiveRequests(): void {
  const { client, live } = useInbox();
  const isLive = useSyncExternalStore(live.subscribe, () => live.state === 'live');
  useEffect(() => {
    if (!isLive) return;
    const ended = new AbortController();
    void follow(client, live, ended.signal);
    return () => ended.abort();
  }, [client, live, isLive]);
}

async function follow(client: Client, live: Live, ended: AbortSignal): Promise<void> {
  let isReady = false;
  try {
    for await (const item of readServerSentItems(client.stream('requests.stream', { query: {} }, ended))) {
      // The first comment comes when no request can be missed; later ones only show that the connection lives.
      if (item === 'comment' && isReady) continue;
      isReady = true;
      live.reportChange(['requests']);
    }
  } catch (error) {
    if (!ended.aborted && !EXPECTED.some((kind) => error instanceof kind)) console.error(error);
  }
}
