import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { PageQuery, Pagination, prefixedId, RecipientPattern, singleLineText, Timestamp } from '../fields.js';
import { Webhook, WebhookUrl } from '../service/webhooks.js';
import { DATE_FORM, readInstant } from '../vocabulary/instants.js';
import { controlRoutes } from '../vocabulary/routes.js';
import { EventTypeList, EventTypeName } from '../webhook-events.js';

/** Defines the control API's endpoints for webhook deliveries and their attempts. */

/** One webhook attempt, with the complete request and response. */
export const AttemptReport = z.object({
  delivery_id: z.string(),
  webhook_id: prefixedId('whk'),
  event_id: prefixedId('evt'),
  event_seq: z.int(),
  type: EventTypeName,
  url: z.string(),
  attempt: z.int().min(1),
  max_attempts: z.int().min(1),
  at: Timestamp,
  duration_ms: z.int().min(0),
  status: z.int().nullable(),
  error: z.string().nullable(),
  fault: z.string().nullable().meta({ description: 'The fault that was injected; null for a real attempt.' }),
  response_body: z.string(),
  next_attempt_at: Timestamp.nullable(),
  payload: z.string(),
  request_headers: z.record(z.string(), z.string()),
  response_headers: z.record(z.string(), z.string()),
});
export type AttemptReport = z.infer<typeof AttemptReport>;

const deliveryStates = ['pending', 'succeeded', 'failed'] as const;

export const DeliverySummary = z.object({
  id: z.string(),
  webhook_id: prefixedId('whk'),
  event_id: prefixedId('evt'),
  event_seq: z.int(),
  type: EventTypeName,
  url: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int().min(0),
  status: z.int().nullable().meta({ description: 'Status of the last response; null if there was none.' }),
  error: z.string().nullable(),
  duration_ms: z.int().nullable(),
  created_at: Timestamp,
  next_attempt_at: Timestamp.nullable(),
  replay_of: z.string().nullable().meta({ description: 'The delivery that this one replays.' }),
});
export type DeliverySummary = z.infer<typeof DeliverySummary>;

const ListDeliveries = PageQuery.extend({
  state: z.enum(deliveryStates).optional(),
  event: EventTypeName.optional(),
  webhook: z.string().optional(),
  email: z.string().optional().meta({ description: 'Only deliveries of this email’s events.' }),
  replayed: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .meta({ description: 'Whether a later delivery to the same webhook replays it.', override: { type: 'boolean' } }),
});

const Since = z.string().refine((value) => readInstant(value) !== undefined, `must be ${DATE_FORM}`);

const ReplayRequest = z
  .object({
    delivery_id: z.string().optional(),
    event_id: z.string().optional(),
    failed: z.boolean().optional().meta({ description: 'Replay all failed deliveries that were not replayed yet.' }),
    since: Since.optional().meta({
      description: 'Replay all events from this time on; with `failed`, only failed deliveries.',
    }),
    to: WebhookUrl.optional().meta({ description: 'URL to send to instead of the webhook’s.' }),
  })
  .superRefine(({ delivery_id, event_id, failed, since }, context) => {
    const selections = [delivery_id, event_id, failed || since ? true : undefined].filter(
      (selection) => selection !== undefined,
    );
    if (selections.length === 1) return;
    context.addIssue({
      code: 'custom',
      message: 'must contain exactly one of delivery_id, event_id, or failed and since',
    });
  });

export const deliveryEndpoints = {
  'deliveries.list': {
    ...controlRoutes['deliveries.list'],
    summary: 'List webhook deliveries, newest first',
    query: ListDeliveries,
    response: z.object({ deliveries: z.array(DeliverySummary), pagination: Pagination }),
    status: 200,
    errors: ['bad_request', 'not_found'],
  },
  'deliveries.get': {
    ...controlRoutes['deliveries.get'],
    summary: 'Retrieve a webhook delivery with all attempts',
    params: z.object({ id: z.string() }),
    response: DeliverySummary.extend({ payload: z.string(), log: z.array(AttemptReport) }),
    status: 200,
    errors: ['not_found'],
  },
  'deliveries.stream': {
    ...controlRoutes['deliveries.stream'],
    summary: 'Stream webhook attempts as server-sent events',
    description: 'A client that reads too slowly misses the oldest attempts.',
    media: 'text/event-stream',
    status: 200,
  },
  'deliveries.replay': {
    ...controlRoutes['deliveries.replay'],
    summary: 'Replay webhook deliveries or events',
    description: 'Sends the same bytes again, and responds after the first attempt of each.',
    body: ReplayRequest,
    response: z.object({ attempts: z.array(AttemptReport) }),
    status: 201,
    errors: ['bad_request', 'invalid', 'not_found', 'conflict'],
  },
} as const satisfies Contract;

/** Defines the control API's endpoint for what the service does not report about webhooks. */

export const webhookInspectEndpoints = {
  'webhooks.inspect': {
    ...controlRoutes['webhooks.inspect'],
    summary: 'List webhooks, and whether their requests are signed',
    response: z.object({
      webhooks: z.array(
        Webhook.extend({ signed: z.boolean().meta({ description: 'Whether the webhook has a secret.' }) }),
      ),
    }),
    status: 200,
  },
} as const satisfies Contract;

/** Defines the control API's endpoint for temporary webhooks, which exist while a client streams their attempts. */

export const listenEndpoints = {
  'webhooks.listen': {
    ...controlRoutes['webhooks.listen'],
    summary: 'Forward events to a URL while the response is read',
    description: 'Reports every delivery attempt as a server-sent event.',
    query: z.object({
      forward_to: WebhookUrl,
      events: EventTypeList.optional(),
      to: RecipientPattern.optional().meta({ description: 'Recipient pattern; * matches any text.' }),
      resume: z.string().optional().meta({
        description: 'The webhook_id of an earlier stream that the server closed; continues where it stopped.',
      }),
      after: singleLineText(64, 1).optional().meta({
        description:
          'Newest event of an earlier stream. If that stream cannot be resumed, starts with the events after this one.',
      }),
      instance: singleLineText(64, 1).optional().meta({
        description:
          'Server instance of an earlier stream. If a server on SQLite has restarted and cannot resume that stream, starts with all events since the restart.',
      }),
      header: z
        .union([singleLineText(8_192, 1), z.array(singleLineText(8_192, 1))])
        .transform((value) => [value].flat())
        .optional()
        .meta({ description: 'Header to add to each request, as "Name: value"; repeatable.' }),
    }),
    media: 'text/event-stream',
    status: 200,
    errors: ['bad_request'],
  },
} as const satisfies Contract;

/**
 * Defines the control API's endpoint that records an event with given data, to test payloads that real mail does not
 * cause.
 */

export const triggerEndpoints = {
  'events.trigger': {
    ...controlRoutes['events.trigger'],
    summary: 'Record an event with the given data',
    description: 'Fills in missing fields with sample data, and changes nothing else.',
    body: z.object({
      type: EventTypeName,
      email_id: prefixedId('msg').optional().meta({ description: 'Email to take missing fields from.' }),
      data: z.record(z.string(), z.unknown()).optional(),
    }),
    response: z.object({ id: prefixedId('evt'), seq: z.int(), type: EventTypeName, payload: z.string() }),
    status: 201,
    errors: ['bad_request', 'invalid', 'not_found', 'forbidden'],
  },
} as const satisfies Contract;
