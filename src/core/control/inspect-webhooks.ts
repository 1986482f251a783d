import { presentWebhook } from '../resources/webhooks.js';
import type { ControlHandler } from './context.js';

/** Implements the control API's endpoint that lists webhooks with what the service does not report. */

export const inspectWebhooks: ControlHandler<'webhooks.inspect'> = async (_, { store }) => ({
  webhooks: (await store.read.webhooks.list())
    .filter(({ ephemeral }) => !ephemeral)
    .map((webhook) => ({ ...presentWebhook(webhook), signed: webhook.secret !== null })),
});
