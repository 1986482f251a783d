import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { prefixedId, singleLineText, Timestamp } from '../fields.js';
import { WEBHOOK_SECRET_CHARACTERS, WEBHOOK_URL_CHARACTERS } from '../vocabulary/limits.js';
import { routes } from '../vocabulary/routes.js';
import { PUBLIC_WEBHOOK_URL_PATTERN, webhookUrlFormProblem } from '../vocabulary/webhooks/url.js';
import { EventTypeName } from '../webhook-events.js';

/** The URL of a webhook. The server also checks the host of a plain http URL (gaps 21 and 47). */
export const WebhookUrl = singleLineText(WEBHOOK_URL_CHARACTERS, 1)
  .superRefine((value, context) => {
    const message = webhookUrlFormProblem(value);
    if (message) context.addIssue({ code: 'custom', message });
  })
  .meta({
    pattern: PUBLIC_WEBHOOK_URL_PATTERN,
    description: 'URL to post events to; must be https (http only for this machine).',
    examples: ['https://shop.example/hooks/email'],
  });

/** A webhook subscription. Gap 20. */
export const Webhook = z.object({
  id: prefixedId('whk'),
  url: z.string(),
  events: z.array(EventTypeName),
  active: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Webhook = z.infer<typeof Webhook>;

const url = WebhookUrl;
const events = z.array(EventTypeName).min(1, 'must contain at least one event type');
const secret = singleLineText(WEBHOOK_SECRET_CHARACTERS, 1);

export const CreateWebhook = z.object({ url, events, secret: secret.optional() });
export type CreateWebhook = z.infer<typeof CreateWebhook>;

export const UpdateWebhook = z.object({
  url: url.optional(),
  events: events.optional(),
  secret: secret.optional(),
  active: z.boolean().optional(),
});
export type UpdateWebhook = z.infer<typeof UpdateWebhook>;

const WebhookParams = z.object({ id: z.string().meta({ description: 'Webhook ID (`whk_…`).' }) });

export const webhookEndpoints = {
  'webhooks.list': {
    ...routes['webhooks.list'],
    summary: 'List webhooks, newest first',
    response: z.object({ webhooks: z.array(Webhook) }),
    status: 200,
  },
  'webhooks.create': {
    ...routes['webhooks.create'],
    summary: 'Create a webhook',
    audited: ['url', 'events'],
    body: CreateWebhook,
    response: Webhook,
    status: 201,
    errors: ['bad_request', 'invalid'],
  },
  'webhooks.update': {
    ...routes['webhooks.update'],
    summary: 'Update a webhook',
    audited: ['url', 'events', 'active'],
    params: WebhookParams,
    body: UpdateWebhook,
    response: Webhook,
    status: 200,
    errors: ['bad_request', 'invalid', 'not_found'],
  },
  'webhooks.delete': {
    ...routes['webhooks.delete'],
    summary: 'Delete a webhook',
    audited: [],
    params: WebhookParams,
    status: 204,
    errors: ['not_found'],
  },
} as const satisfies Contract;
