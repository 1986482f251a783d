import type { Control, ControlOperationName } from '../contract/control/endpoints.js';
import type { Call, Result } from '../contract/endpoint.js';
import type { OperationName, Service } from '../contract/service/endpoints.js';
import type { EventType as EventTypeName } from '../contract/vocabulary/event-types.js';
import type { EventEnvelope } from '../contract/webhook-events.js';

/**
 * The types of every operation. In the package, `scripts/kit/operation-types.js` replaces this file with types that do
 * not need zod; it exports the same names.
 */

export type { CapturedEmail, NearMiss } from '../contract/control/emails/captured-email.js';
export type { ServerInfo } from '../contract/control/server.js';
export type { ClockState } from '../contract/control/simulation/clock.js';
export type { Rule } from '../contract/control/simulation/outcomes.js';
export type { EmailReceipt, EmailStatus } from '../contract/service/emails.js';
export type { Template } from '../contract/service/templates.js';
export type { EventType } from '../contract/vocabulary/event-types.js';
export type { Outcome } from '../contract/vocabulary/outcomes.js';

/** The body of a webhook request, by the type of its event. */
export type WebhookEvents = { [Type in EventTypeName]: EventEnvelope<Type> };

/** The request and the result of each operation of the service. */
export type ServiceOperations = {
  [Name in OperationName]: { request: Call<Service[Name]>; result: Result<Service[Name]> };
};

/** The request and the result of each operation of the control API, which only the local server has. */
export type ControlOperations = {
  [Name in ControlOperationName]: { request: Call<Control[Name]>; result: Result<Control[Name]> };
};
