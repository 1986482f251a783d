import { z } from 'zod';
import { AddressString } from '../address.js';
import type { Contract } from '../endpoint.js';
import { DateTime, dateBound, PageQuery, Pagination, prefixedId, singleLineText, Timestamp } from '../fields.js';
import { emailStatuses, recipientStatuses } from '../vocabulary/email-statuses.js';
import {
  ATTACHMENTS_BYTES,
  RECIPIENTS_MAX,
  REQUEST_BODY_BYTES,
  SUBJECT_CHARACTERS,
  TAG_CHARACTERS,
  TAGS_MAX,
} from '../vocabulary/limits.js';
import { CONTROL_CHARACTER } from '../vocabulary/parsers/text.js';
import { routes } from '../vocabulary/routes.js';
import { Variables } from './variables.js';

export const EmailStatus = z.enum(emailStatuses);
export type EmailStatus = z.infer<typeof EmailStatus>;

/** The status of one recipient, which only the control API shows. */
export const RecipientStatus = z.enum(recipientStatuses);
export type RecipientStatus = z.infer<typeof RecipientStatus>;

export const EmailSummary = z.object({
  id: prefixedId('msg'),
  to: z.string().meta({ description: 'Recipients, joined by ", ".' }),
  from: z.string(),
  subject: z.string(),
  status: EmailStatus,
  created_at: Timestamp,
  delivered_at: Timestamp.optional().meta({ description: 'Present after delivery.' }),
});
export type EmailSummary = z.infer<typeof EmailSummary>;

export const EmailReceipt = z.object({
  id: prefixedId('msg'),
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  status: EmailStatus,
  created_at: Timestamp,
  scheduled_at: Timestamp.nullable(),
  tags: z.array(z.string()),
});
export type EmailReceipt = z.infer<typeof EmailReceipt>;

export const EmailDetail = z.object({
  id: prefixedId('msg'),
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  status: EmailStatus,
  created_at: Timestamp,
  sent_at: Timestamp.nullable(),
  delivered_at: Timestamp.nullable(),
  opened_at: Timestamp.nullable(),
  opens_count: z.int().min(0),
  clicks_count: z.int().min(0),
  tags: z.array(z.string()),
  bounce_reason: z.string().nullable(),
  template_id: prefixedId('tpl').nullable(),
  variables: Variables.nullable(),
});
export type EmailDetail = z.infer<typeof EmailDetail>;

const Recipients = z
  .union(
    [AddressString, z.array(AddressString).max(RECIPIENTS_MAX, `must contain at most ${RECIPIENTS_MAX} addresses`)],
    {
      error: 'must be an address or an array of addresses',
    },
  )
  .meta({ description: 'One address, or an array of addresses.' });

const NOT_BASE64 = /[^A-Za-z0-9+/]/;
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\]*"))*$/;

function paddingOf(base64: string): number {
  return base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
}

/**
 * Searches for invalid characters. Matching the whole text with one pattern would need a stack as deep as the
 * attachment is long.
 */
function isBase64(value: string): boolean {
  return value.length % 4 === 0 && !NOT_BASE64.test(value.slice(0, value.length - paddingOf(value)));
}

/** Returns the number of bytes that a base64 text encodes. */
function decodedLength(base64: string): number {
  return (base64.length / 4) * 3 - paddingOf(base64);
}

export const AttachmentInput = z.object({
  filename: singleLineText(255, 1).meta({ examples: ['receipt.pdf'] }),
  content: z
    .string()
    .refine(isBase64, 'must be base64, without line breaks')
    .meta({ description: 'File content, in base64.', contentEncoding: 'base64', examples: ['JVBERi0xLjcK'] }),
  contentType: singleLineText(255, 1)
    .regex(MEDIA_TYPE, 'must be a media type such as application/pdf')
    .meta({ description: 'Media type.', examples: ['application/pdf'] }),
});
export type AttachmentInput = z.infer<typeof AttachmentInput>;

const Tag = singleLineText(TAG_CHARACTERS, 1);

/** The body of a request to send an email. Specification: Send Email; gaps 4, 6, 8, 34, 35, 36. */
export const SendEmail = z
  .object({
    to: Recipients,
    from: AddressString,
    subject: singleLineText(SUBJECT_CHARACTERS)
      .optional()
      .meta({ description: 'Required without `template_id`; overrides the template’s subject.' }),
    html: z
      .string()
      .optional()
      .meta({ description: 'HTML body. Required without `template_id`; not allowed with it.' }),
    text: z.string().optional().meta({ description: 'Plain-text body. Not allowed with `template_id`.' }),
    cc: Recipients.optional(),
    bcc: Recipients.optional(),
    reply_to: AddressString.optional(),
    attachments: z.array(AttachmentInput).optional(),
    template_id: z
      .string()
      .min(1, 'must not be empty')
      .optional()
      .meta({ description: 'Template ID (`tpl_…`). The template is rendered when the request is accepted.' }),
    variables: Variables.optional(),
    tags: z
      .array(Tag)
      .max(TAGS_MAX, `must contain at most ${TAGS_MAX} tags`)
      .optional()
      .meta({ description: 'Labels for filtering lists.' }),
    track_opens: z.boolean().default(true).meta({ description: 'Whether to record opens, with a pixel in the HTML.' }),
    track_clicks: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether to record clicks, with rewritten links in the HTML.' }),
    scheduled_at: DateTime.optional().meta({
      description:
        'Time to send at: ISO 8601 with an offset or Z, in the future and at most a year ahead. Default: now.',
    }),
  })
  .superRefine((email, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (Array.isArray(email.to) && email.to.length === 0) refuse('to', 'must contain at least one address');
    const recipients = [email.to, email.cc ?? [], email.bcc ?? []].flat().length;
    if (recipients > RECIPIENTS_MAX)
      refuse('to', `to, cc and bcc together must contain at most ${RECIPIENTS_MAX} addresses`);
    if (email.template_id === undefined) {
      if (!email.html) refuse('html', 'is required unless template_id is given');
      if (email.subject === undefined) refuse('subject', 'is required unless template_id is given');
    } else {
      if (email.html !== undefined) refuse('html', 'must not be combined with template_id');
      if (email.text !== undefined) refuse('text', 'must not be combined with template_id');
    }
    const bytes = (email.attachments ?? []).reduce((sum, { content }) => sum + decodedLength(content), 0);
    if (bytes > ATTACHMENTS_BYTES) {
      refuse('attachments', `must be at most ${ATTACHMENTS_BYTES} bytes in total after decoding, not ${bytes}`);
    }
  });
export type SendEmail = z.output<typeof SendEmail>;
/** The body as a client sends it. */
export type SendEmailRequest = z.input<typeof SendEmail>;

/** The query of a request to list emails. Specification: List Emails; gaps 29 and 30. */
const ListEmails = PageQuery.extend({
  status: EmailStatus.optional(),
  from_date: dateBound('first').optional(),
  to_date: dateBound('last').optional(),
  to: z.string().min(1, 'must not be empty').optional().meta({ description: 'Full address of any recipient.' }),
  from: z.string().min(1, 'must not be empty').optional().meta({ description: 'Full address of the sender.' }),
  tags: z
    .string()
    .refine((value) => !CONTROL_CHARACTER.test(value), 'must not contain control characters')
    .transform((value) => [...new Set(value.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== ''))
    .meta({ override: { type: 'string' }, description: 'Tags, comma-separated; emails must have all of them.' })
    .optional(),
});

export const EmailParams = z.object({ id: z.string().meta({ description: 'Email ID (`msg_…`).' }) });

export const emailEndpoints = {
  'emails.send': {
    ...routes['emails.send'],
    summary: 'Send an email, now or at a scheduled time',
    body: SendEmail,
    bodyBytes: REQUEST_BODY_BYTES,
    response: EmailReceipt,
    status: 201,
    errors: ['bad_request', 'invalid', 'invalid_variables', 'template_not_found', 'domain_not_verified'],
    emits: ['email.sent', 'email.delivered', 'email.bounced', 'email.complained', 'email.dropped'],
  },
  'emails.list': {
    ...routes['emails.list'],
    summary: 'List emails, newest first',
    query: ListEmails,
    response: z.object({ emails: z.array(EmailSummary), pagination: Pagination }),
    status: 200,
    errors: ['bad_request'],
  },
  'emails.get': {
    ...routes['emails.get'],
    summary: 'Retrieve an email',
    params: EmailParams,
    response: EmailDetail,
    status: 200,
    errors: ['not_found'],
  },
  'emails.cancel': {
    ...routes['emails.cancel'],
    summary: 'Cancel a scheduled email',
    params: EmailParams,
    response: z.object({ id: prefixedId('msg'), status: z.literal('cancelled') }),
    status: 200,
    errors: ['not_found', 'conflict'],
  },
} as const satisfies Contract;
