import { useEffect, useSyncExternalStore } from 'react';
import { useInbox } from './calls.js';
import { Follower } from './follower.js';

/** The streams of logs, each with the group of calls that it changes. The server's events contain neither. */
const groups = { 'requests.stream': 'requests', 'smtp-sessions.stream': 'smtp-sessions' } as const;

/** Reads a log again when it gets an entry, while the component is shown. */
export function useLiveLog(stream: keyof typeof groups): void {
  const { client, live } = useInbox();
  const isLive = useSyncExternalStore(live.subscribe, () => live.state === 'live');
  useEffect(() => {
    if (!isLive) return;
    const report = () => live.reportChange([groups[stream]]);
    const follower = new Follower({
      open: (signal) => client.stream(stream, { query: {} }, signal),
      onConnect: report,
      // A comment only shows that the connection lives.
      onItem: (item) => item !== 'comment' && report(),
    });
    follower.start();
    return () => follower.stop();
  }, [stream, client, live, isLive]);
}
