import type { ControlHandlers } from './context.js';
import { deliveryHandlers } from './deliveries.js';
import { changeHandlers } from './emails/change.js';
import { checkHandlers } from './emails/check.js';
import { inspectHandlers } from './emails/inspect.js';
import { releaseHandlers } from './emails/release.js';
import { searchHandlers } from './emails/search.js';
import { waitHandlers } from './emails/wait.js';
import { inboxHandlers } from './inbox.js';
import { logHandlers } from './logs.js';
import { serverHandlers } from './server.js';
import { clockHandlers } from './simulation/clock.js';
import { dnsHandlers } from './simulation/dns-records.js';
import { faultHandlers } from './simulation/faults.js';
import { ruleHandlers } from './simulation/rules.js';
import { simulateHandlers } from './simulation/simulate-email.js';
import { stateHandlers } from './state.js';
import { suppressionHandlers } from './suppressions.js';
import { reportHandlers } from './warning-report.js';
import { webhookHandlers } from './webhooks.js';
import { workspaceHandlers } from './workspaces.js';

/** The handler of every endpoint of the control API. */
export const controlHandlers = {
  ...serverHandlers,
  ...searchHandlers,
  ...changeHandlers,
  ...inspectHandlers,
  ...checkHandlers,
  ...releaseHandlers,
  ...waitHandlers,
  ...inboxHandlers,
  ...webhookHandlers,
  ...deliveryHandlers,
  ...logHandlers,
  ...stateHandlers,
  ...suppressionHandlers,
  ...reportHandlers,
  ...workspaceHandlers,
  ...clockHandlers,
  ...dnsHandlers,
  ...faultHandlers,
  ...ruleHandlers,
  ...simulateHandlers,
} satisfies ControlHandlers;
