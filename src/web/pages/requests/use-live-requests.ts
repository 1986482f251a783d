import { useEffect, useSyncExternalStore } from 'react';
import { useInbox } from '../../api/calls.js';
import { Follower } from '../../api/follower.js';

/** Reads the request log again when a request arrives, while the component is shown. The server's events have none. */
export function useLiveRequests(): void {
  const { client, live } = useInbox();
  const isLive = useSyncExternalStore(live.subscribe, () => live.state === 'live');
  useEffect(() => {
    if (!isLive) return;
    const report = () => live.reportChange(['requests']);
    const follower = new Follower({
      open: (signal) => client.stream('requests.stream', { query: {} }, signal),
      onConnect: report,
      // A comment only shows that the connection lives.
      onItem: (item) => item !== 'comment' && report(),
    });
    follower.start();
    return () => follower.stop();
  }, [client, live, isLive]);
}
