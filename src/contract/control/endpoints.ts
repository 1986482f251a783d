import type { Contract } from '../endpoint.js';
import { captureEndpoints, changeEmailEndpoints } from './emails/change.js';
import { checkEndpoints, viewEndpoints } from './emails/check.js';
import { inspectEndpoints } from './emails/inspect.js';
import { releaseEndpoints, resendEndpoints } from './emails/release.js';
import { searchEndpoints } from './emails/search.js';
import { waitEndpoints } from './emails/wait.js';
import { inboxEndpoints } from './inbox.js';
import { auditEndpoints, requestLogEndpoints, smtpSessionEndpoints } from './logs.js';
import { compactEndpoints, eventStreamEndpoints, serverEndpoints } from './server.js';
import { clockEndpoints } from './simulation/clock.js';
import { dnsEndpoints } from './simulation/dns-records.js';
import { faultEndpoints } from './simulation/faults.js';
import { ruleEndpoints, simulateEndpoints } from './simulation/outcomes.js';
import { stateEndpoints } from './state.js';
import { suppressionEndpoints } from './suppressions.js';
import { reportEndpoints } from './warning-report.js';
import { deliveryEndpoints, listenEndpoints, triggerEndpoints, webhookInspectEndpoints } from './webhooks.js';
import { controlApiKeyEndpoints, workspaceEndpoints } from './workspaces.js';

/**
 * The control API: the local server's own endpoints, served under `/_svc`. The service has none of them, so they have a
 * prefix of their own: an application cannot call them by mistake and then fail in production.
 */
export const control = {
  ...serverEndpoints,
  ...eventStreamEndpoints,
  ...searchEndpoints,
  ...captureEndpoints,
  ...inspectEndpoints,
  ...checkEndpoints,
  ...viewEndpoints,
  ...changeEmailEndpoints,
  ...resendEndpoints,
  ...releaseEndpoints,
  ...waitEndpoints,
  ...inboxEndpoints,
  ...webhookInspectEndpoints,
  ...listenEndpoints,
  ...simulateEndpoints,
  ...ruleEndpoints,
  ...faultEndpoints,
  ...suppressionEndpoints,
  ...controlApiKeyEndpoints,
  ...workspaceEndpoints,
  ...clockEndpoints,
  ...dnsEndpoints,
  ...deliveryEndpoints,
  ...triggerEndpoints,
  ...requestLogEndpoints,
  ...smtpSessionEndpoints,
  ...auditEndpoints,
  ...reportEndpoints,
  ...stateEndpoints,
  ...compactEndpoints,
} as const satisfies Contract;
export type Control = typeof control;
export type ControlOperationName = keyof Control;
