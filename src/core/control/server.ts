import { timestamp } from '../context.js';
import type { ControlHandler } from './context.js';

/** Implements the control API's endpoints for the server itself. */

export const health: ControlHandler<'health'> = async (_, { start, controlEnabled, clock }) => ({
  status: 'ok',
  instance: start.instance,
  control: controlEnabled,
  now: timestamp(clock.now()),
});

export const summary: ControlHandler<'summary'> = async (_, { store }) => ({
  emails: Object.fromEntries(await store.read.emails.countByStatus()),
  failing_webhooks: await store.read.deliveries.countFailingWebhooks(),
});

export const info: ControlHandler<'info'> = async (_, { describe, clock, store }) => ({
  ...describe(),
  now: timestamp(clock.now()),
  last_event: await store.read.events.lastSeq(),
});
