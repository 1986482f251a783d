import type { Webhook } from '../../../contract/service/webhooks.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { omitUndefined } from '../../../contract/vocabulary/json.js';
import { shortened } from '../../../contract/vocabulary/text.js';
import { checkSubscriptionUrl } from '../../account/webhook-url.js';
import { type Handler, type ServiceHandlers, timestamp } from '../../context.js';
import type { WebhookRecord } from '../../model/resources.js';
import type { Reads } from '../../reads.js';

/** Implements the endpoints for webhook subscriptions. Specification: Webhook subscription; gaps 20 and 21. */

const listWebhooks: Handler<'webhooks.list'> = async (_, { store }) => ({
  webhooks: (await store.read.webhooks.list()).filter(({ ephemeral }) => !ephemeral).map(presentWebhook),
});

const createWebhook: Handler<'webhooks.create'> = async ({ body }, context) => {
  const { store, clock, ids } = context;
  checkSubscriptionUrl(body.url, context);
  return store.write(async (tx) => {
    const now = clock.now();
    const webhook: WebhookRecord = {
      id: ids.next('whk', now),
      url: body.url,
      events: [...new Set(body.events)],
      secret: body.secret ?? null,
      active: true,
      ephemeral: false,
      recipientPattern: null,
      headers: {},
      workspace: context.key.workspace,
      sinceSeq: await tx.events.lastSeq(),
      createdAt: now,
      updatedAt: now,
    };
    await tx.webhooks.insert(webhook);
    return presentWebhook(webhook);
  });
};

const updateWebhook: Handler<'webhooks.update'> = async ({ params, body }, context) => {
  const { store, clock } = context;
  return store.write(async (tx) => {
    const before = await find(tx, params.id);
    if (body.url !== undefined) checkSubscriptionUrl(body.url, context);
    const webhook: WebhookRecord = { ...before, ...omitUndefined(body) };
    webhook.events = [...new Set(webhook.events)];
    // Gap 45: a call that changes nothing is not an update.
    if (JSON.stringify(webhook) === JSON.stringify(before)) return presentWebhook(before);
    webhook.updatedAt = clock.now();
    // Events from the time when it was disabled are not sent.
    if (webhook.active && !before.active) webhook.sinceSeq = await tx.events.lastSeq();
    await tx.webhooks.update(webhook);
    return presentWebhook(webhook);
  });
};

const deleteWebhook: Handler<'webhooks.delete'> = ({ params }, { store }) =>
  store.write(async (tx) => {
    const { id } = await find(tx, params.id);
    await tx.webhooks.delete(id);
  });

async function find(reads: Pick<Reads, 'webhooks'>, id: string): Promise<WebhookRecord> {
  const webhook = await reads.webhooks.find(id);
  if (webhook && !webhook.ephemeral) return webhook;
  throw unknownWebhook(id);
}

export function unknownWebhook(id: string): ServiceError {
  return new ServiceError('not_found', `Webhook ${JSON.stringify(shortened(id))} not found.`);
}

export function presentWebhook(webhook: WebhookRecord): Webhook {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    active: webhook.active,
    created_at: timestamp(webhook.createdAt),
    updated_at: timestamp(webhook.updatedAt),
  };
}

export const webhookHandlers = {
  'webhooks.list': listWebhooks,
  'webhooks.create': createWebhook,
  'webhooks.update': updateWebhook,
  'webhooks.delete': deleteWebhook,
} satisfies Partial<ServiceHandlers>;
