import type { Contract } from './endpoint.js';
import { controlRoutes } from './routes.js';

/** What a local server holds as a whole, in its own API. */

export const stateEndpoints = {
  reset: {
    ...controlRoutes.reset,
    summary: 'Empty the server: all but its API keys, its webhook secret, its time, and the subscriptions being read',
    status: 204,
  },
} as const satisfies Contract;
