import type { Contract } from '../endpoint.js';
import { clockEndpoints } from './clock.js';
import { deliveryEndpoints } from './deliveries.js';
import { dnsEndpoints } from './dns-records.js';
import { inspectEndpoints } from './inspect-email.js';
import { listenEndpoints } from './listen.js';
import { requestLogEndpoints } from './request-log.js';
import { ruleEndpoints } from './rules.js';
import { serverEndpoints } from './server.js';
import { simulateEndpoints } from './simulate-email.js';
import { stateEndpoints } from './state.js';
import { eventStreamEndpoints } from './stream-events.js';
import { suppressionEndpoints } from './suppressions.js';
import { triggerEndpoints } from './trigger-event.js';

/**
 * The control API: the local server's own endpoints, served under `/_svc`. The service has none of them, so they have a
 * prefix of their own: an application cannot call them by mistake and then fail in production.
 */
export const control = {
  ...serverEndpoints,
  ...eventStreamEndpoints,
  ...inspectEndpoints,
  ...listenEndpoints,
  ...simulateEndpoints,
  ...ruleEndpoints,
  ...suppressionEndpoints,
  ...clockEndpoints,
  ...dnsEndpoints,
  ...deliveryEndpoints,
  ...triggerEndpoints,
  ...requestLogEndpoints,
  ...stateEndpoints,
} as const satisfies Contract;
export type Control = typeof control;
export type ControlOperationName = keyof Control;
