import type { Contract } from '../endpoint.js';
import { controlApiKeyEndpoints } from './api-keys.js';
import { compactEndpoints } from './compact.js';
import { deliveryEndpoints } from './deliveries.js';
import { captureEndpoints } from './emails/capture.js';
import { changeEmailEndpoints } from './emails/change.js';
import { checkEndpoints } from './emails/check.js';
import { inspectEndpoints } from './emails/inspect.js';
import { releaseEndpoints } from './emails/release.js';
import { resendEndpoints } from './emails/resend.js';
import { searchEndpoints } from './emails/search.js';
import { viewEndpoints } from './emails/view.js';
import { waitEndpoints } from './emails/wait.js';
import { inboxEndpoints } from './inbox.js';
import { webhookInspectEndpoints } from './inspect-webhooks.js';
import { listenEndpoints } from './listen.js';
import { requestLogEndpoints } from './request-log.js';
import { serverEndpoints } from './server.js';
import { clockEndpoints } from './simulation/clock.js';
import { dnsEndpoints } from './simulation/dns-records.js';
import { faultEndpoints } from './simulation/faults.js';
import { ruleEndpoints } from './simulation/rules.js';
import { simulateEndpoints } from './simulation/simulate-email.js';
import { triggerEndpoints } from './simulation/trigger-event.js';
import { smtpSessionEndpoints } from './smtp-sessions.js';
import { stateEndpoints } from './state.js';
import { eventStreamEndpoints } from './stream-events.js';
import { suppressionEndpoints } from './suppressions.js';
import { reportEndpoints } from './warning-report.js';
import { workspaceEndpoints } from './workspaces.js';

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
  ...reportEndpoints,
  ...stateEndpoints,
  ...compactEndpoints,
} as const satisfies Contract;
export type Control = typeof control;
export type ControlOperationName = keyof Control;
