import { setTimeout } from 'node:timers/promises';
import type { Fetch } from '../../client/client.js';
import type { Connection } from '../connection/connection.js';

/** Reaches a server over the network. Redirects are not followed, because the key would go to their target. */
const networkFetch: Fetch = (url, { noTimeout, ...init }) =>
  fetch(url, {
    ...init,
    redirect: 'manual',
    ...(typeof init.body === 'object' && { duplex: 'half' as const }),
  } as RequestInit) as ReturnType<Fetch>;

export const networkConnection: Connection = {
  fetch: networkFetch,
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { ...(signal && { signal }) }),
  close: async () => {},
};
