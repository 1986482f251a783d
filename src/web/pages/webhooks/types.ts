import type { ControlOperations } from '../../../client/operations.js';

export type Webhook = ControlOperations['webhooks.inspect']['result']['webhooks'][number];
export type DeliverySummary = ControlOperations['deliveries.list']['result']['deliveries'][number];
