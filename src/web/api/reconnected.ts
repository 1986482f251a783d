import { useContext, useEffect, useRef, useSyncExternalStore } from 'react';
import { InboxContext } from './calls.js';

const neverChanges = () => () => {};

/** Calls back each time the page is connected to its server again. Before the sign-in, it has no connection. */
export function useReconnected(callBack: () => void): void {
  const live = useContext(InboxContext)?.live;
  // It may connect before the effects of a component run.
  const isLive = useSyncExternalStore(live?.subscribe ?? neverChanges, () => live?.state === 'live');
  const latest = useRef(callBack);
  latest.current = callBack;
  const wasLive = useRef(isLive);
  useEffect(() => {
    if (isLive && !wasLive.current) latest.current();
    wasLive.current = isLive;
  }, [isLive]);
}
