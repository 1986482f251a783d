import { useEffect, useSyncExternalStore } from 'react';
import type { Client } from '../../client/client.js';
import { readServerSentItems } from '../../client/event-source.js';
import { ApiFailure, UnreachableError } from '../../client/failures.js';
import { useInbox } from './calls.js';
import type { Live } from './live.js';
import { SignInRequired } from './session.js';

/** What ends the stream without a fault of the page. */
const EXPECTED = [UnreachableError, ApiFailure, SignInRequired];

/** The streams of logs, each with the group of calls that it changes. The server's events contain neither. */
const groups = { 'requests.stream': 'requests', 'smtp-sessions.stream': 'smtp-sessions' } as const;
type Stream = keyof typeof groups;

/** Reads a log again when it gets an entry, while the component is shown. */
export function useLiveLog(stream: Stream): void {
  const { client, live } = useInbox();
  const isLive = useSyncExternalStore(live.subscribe, () => live.state === 'live');
  useEffect(() => {
    if (!isLive) return;
    const ended = new AbortController();
    void follow(stream, client, live, ended.signal);
    return () => ended.abort();
  }, [stream, client, live, isLive]);
}

async function follow(stream: Stream, client: Client, live: Live, ended: AbortSignal): Promise<void> {
  let isReady = false;
  try {
    for await (const item of readServerSentItems(client.stream(stream, { query: {} }, ended))) {
      // The first comment comes when no entry can be missed; later ones only show that the connection lives.
      if (item === 'comment' && isReady) continue;
      isReady = true;
      live.reportChange([groups[stream]]);
    }
  } catch (error) {
    if (!ended.aborted && !EXPECTED.some((kind) => error instanceof kind)) console.error(error);
  }
}
