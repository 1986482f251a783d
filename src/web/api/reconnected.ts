import { useEffect, useRef } from 'react';
import { useInbox } from './calls.js';

/** Calls back each time the page is connected to its server again. */
export function useReconnected(callBack: () => void): void {
  const { live } = useInbox();
  const latest = useRef(callBack);
  latest.current = callBack;
  useEffect(() => live.subscribe(() => live.state === 'live' && latest.current()), [live]);
}
