import { setTimeout } from 'node:timers/promises';
import { httpFetch } from '../../client/http-fetch.js';
import { withTimeLimit } from '../../client/time-limit.js';
import type { Connection } from '../connection/connection.js';

/** Reaches a server over the network. Node's own fetch would end a wait after five minutes. */
export const networkConnection: Connection = {
  fetch: withTimeLimit(httpFetch),
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { ...(signal && { signal }) }),
  close: async () => {},
};
