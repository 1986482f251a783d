import { z } from 'zod';
import { deliveryEndpoints } from './delivery-control.js';
import { dnsEndpoints } from './dns-control.js';
import { EmailStatus } from './email.js';
import type { Contract } from './endpoint.js';
import { EventTypeName } from './events.js';
import { idOf, lineOfText, Timestamp } from './fields.js';
import { planNames } from './limits.js';
import { requestLogEndpoints } from './request-log-control.js';
import { controlRoutes } from './routes.js';
import { simulationEndpoints } from './simulation.js';
import { stateEndpoints } from './state-control.js';
import { triggerEndpoints } from './trigger-control.js';
import { WebhookUrl } from './webhook.js';

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
  .meta({ override: { type: 'string' }, description: 'Comma-separated event types; all when absent.' });

export const AttachmentInfo = z.object({
  index: z.int().min(0),
  filename: z.string(),
  content_type: z.string(),
  content_id: z.string().nullable(),
  disposition: z.enum(['attachment', 'inline']),
  size: z.int().min(0).meta({ description: 'Bytes, decoded.' }),
});

export const Inspection = z.object({
  id: idOf('msg'),
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
    .meta({ description: 'What SMTP delivered; null for an email sent over REST.' }),
  parse_error: z.string().nullable().meta({ description: 'Why the message could not be parsed.' }),
  parsing: z.boolean().meta({
    description:
      'Whether the message is still being parsed. Until then only its envelope is known, and the subject is empty.',
  }),
  warnings: z.array(z.string()).meta({ description: 'What the message asked for and could not get.' }),
  links: z
    .array(z.string())
    .meta({ description: 'Where the HTML’s links lead, or when it has none the URLs of the text.' }),
  events: z.array(
    z.object({
      seq: z.int(),
      id: idOf('evt'),
      type: EventTypeName,
      created_at: Timestamp,
      data: z.record(z.string(), z.unknown()).meta({ description: 'As a webhook gets it.' }),
    }),
  ),
});
export type Inspection = z.infer<typeof Inspection>;

export const ServerInfo = z.object({
  version: z.string(),
  pid: z.int(),
  base_url: z.string(),
  smtp: z.object({ host: z.string(), port: z.int() }).nullable(),
  data_dir: z.string().nullable().meta({ description: 'null when the server keeps everything in memory.' }),
  plan: z.enum(planNames as [string, ...string[]]),
  webhook_secret: z.string(),
  now: Timestamp,
  last_event: z.int().min(0).meta({ description: 'The sequence number of the newest event.' }),
});
export type ServerInfo = z.infer<typeof ServerInfo>;

const EmailParams = z.object({ id: z.string().meta({ description: 'A msg_ identifier.' }) });

const RecipientQuery = z.object({
  recipient: lineOfText(512, 1).optional().meta({ description: 'Whose copy; the first recipient’s when absent.' }),
});

export const control = {
  health: {
    ...controlRoutes.health,
    summary: 'Whether the server is up; needs no key',
    response: z.object({
      status: z.literal('ok'),
      instance: z.string(),
      control: z.boolean().meta({ description: 'Whether the rest of this API is there too.' }),
    }),
    status: 200,
    open: true,
  },
  info: {
    ...controlRoutes.info,
    summary: 'Addresses, plan, webhook secret and clock',
    response: ServerInfo,
    status: 200,
  },
  'events.stream': {
    ...controlRoutes['events.stream'],
    summary: 'Every event as it happens, as server-sent events whose id is the sequence number',
    query: z.object({ after: Sequence.optional(), types: eventList.optional(), email_id: z.string().optional() }),
    media: 'text/event-stream',
    status: 200,
    errors: ['bad_request'],
  },
  'emails.inspect': {
    ...controlRoutes['emails.inspect'],
    summary: 'Recipients, attachments, envelope, parse error and events of one email',
    params: EmailParams,
    response: Inspection,
    status: 200,
    errors: ['not_found'],
  },
  'emails.raw': {
    ...controlRoutes['emails.raw'],
    summary: 'The message as RFC 822 bytes: exactly what SMTP delivered, or what a REST call is composed to',
    params: EmailParams,
    query: RecipientQuery,
    media: 'message/rfc822',
    status: 200,
    errors: ['bad_request', 'not_found'],
  },
  'emails.delivered_html': {
    ...controlRoutes['emails.delivered_html'],
    summary: 'The HTML as a recipient gets it, with the tracking pixel and links',
    params: EmailParams,
    query: RecipientQuery,
    media: 'text/html; charset=utf-8',
    status: 200,
    errors: ['bad_request', 'not_found'],
  },
  'emails.attachment': {
    ...controlRoutes['emails.attachment'],
    summary: 'One attachment, decoded',
    params: EmailParams.extend({ index: Sequence }),
    media: 'application/octet-stream',
    status: 200,
    errors: ['bad_request', 'not_found'],
  },
  'webhooks.listen': {
    ...controlRoutes['webhooks.listen'],
    summary: 'Subscribes a URL for as long as the response is read, and reports every attempt as server-sent events',
    query: z.object({
      forward_to: WebhookUrl,
      events: eventList.optional(),
      to: lineOfText(256, 1).optional().meta({ description: 'Recipients to report, with * for any text.' }),
      resume: z.string().optional().meta({
        description: 'The webhook_id of an earlier stream that the server ended: goes on where that one stopped.',
      }),
      after: lineOfText(64, 1).optional().meta({
        description:
          'The newest event that an earlier stream told of: without that one to resume, what came after it, as far as it is here.',
      }),
      instance: lineOfText(64, 1).optional().meta({
        description:
          'The start of a server that an earlier stream was of: where nothing of it is known and the start is another, all since the start.',
      }),
      header: z
        .union([lineOfText(8_192, 1), z.array(lineOfText(8_192, 1))])
        .transform((value) => [value].flat())
        .optional()
        .meta({ description: 'A header to send along, as "Name: value"; repeatable.' }),
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
