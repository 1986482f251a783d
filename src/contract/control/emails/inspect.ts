import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { integerParameter, prefixedId, singleLineText, Timestamp } from '../../fields.js';
import { EmailParams, EmailStatus } from '../../service/emails.js';
import { controlRoutes } from '../../vocabulary/routes.js';
import { EventTypeName } from '../../webhook-events.js';
import { Suppression } from '../suppressions.js';
import { WarningRecord } from '../warning-report.js';
import { AddedTags, CapturedEmail, EmailAttachment, EmailCode, EmailLink, EmailRecipient } from './captured-email.js';
import { EmailRelease } from './release.js';

/** Defines the control API's endpoints for details of an email that the service's API does not return. */

const DsnRequest = z.object({
  ret: z.string().nullable().meta({ description: 'FULL or HDRS: what a notification returns.' }),
  envid: z.string().nullable().meta({ description: 'ID of the envelope that the client chose.' }),
  recipients: z.array(
    z.object({
      address: z.string(),
      notify: z.array(z.string()).nullable().meta({ description: 'NEVER, or any of SUCCESS, FAILURE and DELAY.' }),
      orcpt: z
        .string()
        .nullable()
        .meta({ description: 'Original recipient with its type, such as rfc822;ada@example.com.' }),
    }),
  ),
});

export const Inspection = z.object({
  id: prefixedId('msg'),
  origin: z.enum(['rest', 'smtp']),
  status: EmailStatus,
  from: z.string(),
  reply_to: z.string().nullable(),
  subject: z.string(),
  scheduled_at: Timestamp.nullable(),
  read: z.boolean(),
  added_tags: AddedTags,
  recipients: z.array(
    EmailRecipient.extend({
      suppression: Suppression.omit({ address: true, workspace: true })
        .nullable()
        .meta({ description: 'Suppression of the address now; null if it is not suppressed.' }),
      next_attempt_at: Timestamp.nullable().meta({
        description: 'When its delivery is tried next; null if the recipient has a result, or none is pending.',
      }),
    }),
  ),
  attachments: z.array(
    EmailAttachment.extend({
      content_id: z.string().nullable(),
      disposition: z.enum(['attachment', 'inline']),
    }),
  ),
  envelope: z
    .object({
      mail_from: z.string(),
      rcpt_to: z.array(z.string()),
      size: z.int().min(0),
      dsn: DsnRequest.nullable().meta({ description: 'Parameters of RFC 3461 that the client gave; null for none.' }),
    })
    .nullable()
    .meta({ description: 'SMTP envelope; null for an email sent over REST.' }),
  smtp_session: z
    .string()
    .nullable()
    .meta({ description: 'ID of the SMTP session of the message; null for an email sent over REST.' }),
  smtp_key_id: z
    .string()
    .nullable()
    .meta({ description: 'ID of the API key that the SMTP client logged in with; null for other emails.' }),
  parse_error: z.string().nullable().meta({ description: 'Reason why the message could not be parsed.' }),
  parsing: z.boolean().meta({
    description:
      'Whether the message is still being parsed. Until then only its envelope and the fields of its header are known. ' +
      'It counts in lists and totals as `sent` or `scheduled`; its events and deliveries follow.',
  }),
  warnings: z
    .array(WarningRecord)
    .meta({ description: 'Warnings about the request or the message, such as content that was cut.' }),
  codes: z.array(EmailCode).meta({ description: 'One-time codes in the HTML and the text, the most certain first.' }),
  links: z
    .array(EmailLink)
    .meta({ description: 'Links of the HTML, the text and the header field List-Unsubscribe, each once.' }),
  releases: z.array(EmailRelease).meta({ description: 'Attempts to send it through a real SMTP server.' }),
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

const RecipientQuery = z.object({
  recipient: singleLineText(512, 1)
    .optional()
    .meta({ description: 'Recipient whose copy to return. Default: the first recipient.' }),
});

export const inspectEndpoints = {
  'emails.inspect': {
    ...controlRoutes['emails.inspect'],
    summary: 'Show an email’s recipients, codes, links and events',
    params: EmailParams,
    response: Inspection,
    status: 200,
    errors: ['not_found'],
  },
  'emails.captured': {
    ...controlRoutes['emails.captured'],
    summary: 'Show an email as tests compare it',
    description: 'Returns its content with headers, links and one-time codes. An answer of a wait has the same form.',
    params: EmailParams,
    response: CapturedEmail,
    status: 200,
    errors: ['not_found'],
  },
  'emails.text': {
    ...controlRoutes['emails.text'],
    summary: 'Show the text of an email',
    description: 'The text part; without one, the HTML as text. It answers before links and codes are found.',
    params: EmailParams,
    query: z.object({
      max_characters: integerParameter(1).optional().meta({ description: 'Cut the text after so many characters.' }),
    }),
    media: 'text/plain; charset=utf-8',
    status: 200,
    errors: ['bad_request', 'not_found', 'unavailable'],
  },
  'emails.raw': {
    ...controlRoutes['emails.raw'],
    summary: 'Download an email as a raw message',
    description:
      'The bytes received over SMTP, or the message composed from a REST request. With `recipient`, the delivered copy: ' +
      'without X-Service-… headers, with tracking where it is requested.',
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
    params: EmailParams.extend({ index: integerParameter(0) }),
    media: 'application/octet-stream',
    status: 200,
    errors: ['bad_request', 'not_found'],
  },
} as const satisfies Contract;
