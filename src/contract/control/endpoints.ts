import { z } from 'zod';
import type { Contract } from '../endpoint.js';
import { prefixedId, singleLineText, Timestamp } from '../fields.js';
import { EmailStatus } from '../service/emails.js';
import { WebhookUrl } from '../service/webhooks.js';
import { planNames } from '../vocabulary/limits.js';
import { controlRoutes } from '../vocabulary/routes.js';
import { EventTypeName } from '../webhook-events.js';
import { deliveryEndpoints } from './deliveries.js';
import { dnsEndpoints } from './dns-records.js';
import { requestLogEndpoints } from './request-log.js';
import { simulationEndpoints } from './simulation.js';
import { stateEndpoints } from './state.js';
import { triggerEndpoints } from './trigger-event.js';

/**
 * The local server's own API, under `/_svc`: what a stand-in can tell that the service itself cannot. Nothing here is part
 * of the service, so nothing that an application calls by mistake works locally alone.
 */

const Sequence = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 0 } });

const eventList = z
  .string()
  .transform((value) => value.split(',').map((name) => name.trim()))
  .pipe(z.array(EventTypeName).min(1))
  .meta({ override: { type: 'string' }, description: 'Event types, comma-separated. Default: all.' });

export const AttachmentInfo = z.object({
  index: z.int().min(0),
  filename: z.string(),
  content_type: z.string(),
  content_id: z.string().nullable(),
  disposition: z.enum(['attachment', 'inline']),
  size: z.int().min(0).meta({ description: 'Size after decoding, in bytes.' }),
});

export const Inspection = z.object({
  id: prefixedId('msg'),
  origin: z.enum(['rest', 'smtp']),
  status: EmailStatus,
  from: z.string(),
  reply_to: z.string().nullable(),
  subject: z.string(),
  scheduled_at: Timestamp.nullable(),
  recipients: z.array(
    z.object({ kind: z.enum(['to', 'cc', 'bcc']), address: z.string(), mailbox: z.string(), status: EmailStatus }),
  ),
  attachments: z.array(AttachmentInfo),
  envelope: z
    .object({ mail_from: z.string(), rcpt_to: z.array(z.string()), size: z.int().min(0) })
    .nullable()
    .meta({ description: 'SMTP envelope; null for an email sent over REST.' }),
  parse_error: z.string().nullable().meta({ description: 'Reason why the message could not be parsed.' }),
  parsing: z.boolean().meta({
    description:
      'Whether the message is still being parsed. Until then only its envelope is known, and the subject is empty.',
  }),
  warnings: z
    .array(z.string())
    .meta({ description: 'Options of the message that were ignored, and content that was cut.' }),
  links: z
    .array(z.string())
    .meta({ description: 'URLs of the links in the HTML or, if it has none, URLs in the text.' }),
  events: z.array(
    z.object({
      seq: z.int(),
      id: prefixedId('evt'),
      type: EventTypeName,
      created_at: Timestamp,
      data: z.record(z.string(), z.unknown()).meta({ description: 'Event data, as sent to webhooks.' }),
    }),
  ),
});
export type Inspection = z.infer<typeof Inspection>;

export const ServerInfo = z.object({
  version: z.string(),
  pid: z.int(),
  base_url: z.string(),
  smtp: z.object({ host: z.string(), port: z.int() }).nullable(),
  data_dir: z
    .string()
    .nullable()
    .meta({ description: 'Data directory; null if the server keeps everything in memory.' }),
  plan: z.enum(planNames as [string, ...string[]]),
  webhook_secret: z.string(),
  now: Timestamp,
  last_event: z.int().min(0).meta({ description: 'Sequence number of the newest event.' }),
});
export type ServerInfo = z.infer<typeof ServerInfo>;

const EmailParams = z.object({ id: z.string().meta({ description: 'Email ID (`msg_…`).' }) });

const RecipientQuery = z.object({
  recipient: singleLineText(512, 1)
    .optional()
    .meta({ description: 'Recipient whose copy to return. Default: the first recipient.' }),
});

export const control = {
  health: {
    ...controlRoutes.health,
    summary: 'Check whether the server is running; needs no API key',
    response: z.object({
      status: z.literal('ok'),
      instance: z.string(),
      control: z.boolean().meta({ description: 'Whether the rest of the control API is enabled.' }),
      now: Timestamp.meta({ description: 'Time of the service’s clock. ISO 8601, UTC.' }),
    }),
    status: 200,
    public: true,
  },
  info: {
    ...controlRoutes.info,
    summary: 'Show the server’s addresses, plan, secret and clock',
    response: ServerInfo,
    status: 200,
  },
  'events.stream': {
    ...controlRoutes['events.stream'],
    summary: 'Stream events as server-sent events',
    description: 'The ID of each server-sent event is the event’s sequence number.',
    query: z.object({ after: Sequence.optional(), types: eventList.optional(), email_id: z.string().optional() }),
    media: 'text/event-stream',
    status: 200,
    errors: ['bad_request'],
  },
  'emails.inspect': {
    ...controlRoutes['emails.inspect'],
    summary: 'Show an email’s recipients, envelope and events',
    params: EmailParams,
    response: Inspection,
    status: 200,
    errors: ['not_found'],
  },
  'emails.raw': {
    ...controlRoutes['emails.raw'],
    summary: 'Download an email as a raw message',
    description: 'The bytes received over SMTP, or the message composed from a REST request.',
    params: EmailParams,
    query: RecipientQuery,
    media: 'message/rfc822',
    status: 200,
    errors: ['bad_request', 'not_found', 'unavailable'],
  },
  'emails.delivered_html': {
    ...controlRoutes['emails.delivered_html'],
    summary: 'Show the HTML as delivered to a recipient',
    description: 'Includes the tracking pixel and tracked links.',
    params: EmailParams,
    query: RecipientQuery,
    media: 'text/html; charset=utf-8',
    status: 200,
    errors: ['bad_request', 'not_found', 'unavailable'],
  },
  'emails.attachment': {
    ...controlRoutes['emails.attachment'],
    summary: 'Download an attachment',
    params: EmailParams.extend({ index: Sequence }),
    media: 'application/octet-stream',
    status: 200,
    errors: ['bad_request', 'not_found'],
  },
  'webhooks.listen': {
    ...controlRoutes['webhooks.listen'],
    summary: 'Forward events to a URL while the response is read',
    description: 'Reports every delivery attempt as a server-sent event.',
    query: z.object({
      forward_to: WebhookUrl,
      events: eventList.optional(),
      to: singleLineText(256, 1).optional().meta({ description: 'Recipient pattern; * matches any text.' }),
      resume: z.string().optional().meta({
        description: 'The webhook_id of an earlier stream that the server closed; continues where it stopped.',
      }),
      after: singleLineText(64, 1).optional().meta({
        description:
          'Newest event of an earlier stream. If that stream cannot be resumed, starts with the events after this one.',
      }),
      instance: singleLineText(64, 1).optional().meta({
        description:
          'Server instance of an earlier stream. If the server has restarted and cannot resume that stream, starts with all events since the restart.',
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
  ...simulationEndpoints,
  ...dnsEndpoints,
  ...deliveryEndpoints,
  ...triggerEndpoints,
  ...requestLogEndpoints,
  ...stateEndpoints,
} as const satisfies Contract;
export type Control = typeof control;
export type ControlOperationName = keyof Control;
