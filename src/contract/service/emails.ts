import * as z from 'zod';
import { AddressString, AnyAddressString } from '../address.js';
import type { Contract } from '../endpoint.js';
import {
  DateTime,
  dateBound,
  nameText,
  PageQuery,
  Pagination,
  prefixedId,
  Timestamp,
  visibleLine,
  withVisibleText,
} from '../fields.js';
import { emailStatuses, recipientStatuses } from '../vocabulary/emails.js';
import {
  ATTACHMENTS_BYTES,
  RECIPIENTS_MAX,
  REQUEST_BODY_BYTES,
  SUBJECT_CHARACTERS,
  TAG_CHARACTERS,
  TAGS_MAX,
} from '../vocabulary/limits.js';
import { routes } from '../vocabulary/routes.js';
import { linePattern } from '../vocabulary/text.js';
import { AttachmentInput, decodedLength } from './attachment-input.js';
import { StoredVariables, Variables } from './variables.js';

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
  variables: StoredVariables,
});
export type EmailDetail = z.infer<typeof EmailDetail>;

/** One address or an array of addresses. */
export const Recipients = z
  .union(
    [AddressString, z.array(AddressString).max(RECIPIENTS_MAX, `must contain at most ${RECIPIENTS_MAX} addresses`)],
    {
      error: ({ input }) => (input === undefined ? 'is required' : 'must be an address or an array of addresses'),
    },
  )
  .meta({ description: 'One address, or an array of addresses.' });

/** A tag. Commas separate tags in the filter of a list, which ignores white space around them. */
export const Tag = nameText(TAG_CHARACTERS)
  .regex(/^[^,]*$/u, 'must not contain a comma')
  .meta({ pattern: linePattern({ trimmed: true, without: ',' }) });

/** Refuses an email without a recipient, and one with neither or both of its own content and a template. Gap 6. */
function refuseMissingFields(
  email: { to?: unknown; template_id?: unknown; html?: unknown; subject?: unknown; text?: unknown },
  context: z.RefinementCtx,
): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if (Array.isArray(email.to) && email.to.length === 0) refuse('to', 'must contain at least one address');
  if (email.template_id === undefined) {
    if (email.subject === undefined) refuse('subject', 'is required unless template_id is given');
    if (email.html === undefined) refuse('html', 'is required unless template_id is given');
  } else {
    if (email.html !== undefined) refuse('html', 'must not be combined with template_id');
    if (email.text !== undefined) refuse('text', 'must not be combined with template_id');
  }
}

/** The body of a request to send an email. Specification: Send Email; gaps 4, 6, 8, 34, 35, 36. */
export const SendEmail = z
  .object({
    to: Recipients.meta({ minItems: 1 }),
    from: AddressString,
    subject: visibleLine(SUBJECT_CHARACTERS)
      .optional()
      .meta({ description: 'Required without `template_id`; overrides the template’s subject.' }),
    html: withVisibleText(z.string())
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
      description: 'Time to send at: RFC 3339, in the future and at most 365 days ahead. Default: now.',
    }),
  })
  // Runs also if other fields are invalid, so that one response names every missing field.
  .superRefine(refuseMissingFields, { when: () => true })
  .superRefine((email, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const recipients = [email.to, email.cc ?? [], email.bcc ?? []].flat().length;
    if (recipients > RECIPIENTS_MAX)
      refuse('to', `to, cc and bcc together must contain at most ${RECIPIENTS_MAX} addresses`);
    const bytes = (email.attachments ?? []).reduce((sum, { content }) => sum + decodedLength(content), 0);
    if (bytes > ATTACHMENTS_BYTES) {
      refuse('attachments', `must be at most ${ATTACHMENTS_BYTES} bytes in total after decoding, not ${bytes}`);
    }
  })
  .meta({
    if: { required: ['template_id'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { not: { anyOf: [{ required: ['html'] }, { required: ['text'] }] } },
    else: { required: ['html', 'subject'] },
  });
export type SendEmail = z.output<typeof SendEmail>;
/** The body as a client sends it. */
export type SendEmailRequest = z.input<typeof SendEmail>;

/** Tags separated by commas. None is empty. */
const TAG_LIST = /^\s*[^\s,][^,]*(?:,\s*[^\s,][^,]*)*$/u;

/** The query of a request to list emails. Specification: List Emails; gaps 29 and 30. */
const ListEmails = PageQuery.extend({
  status: EmailStatus.optional(),
  from_date: dateBound('first').optional(),
  to_date: dateBound('last').optional(),
  to: AnyAddressString.optional().meta({ description: 'Full address of any recipient.' }),
  from: AnyAddressString.optional().meta({ description: 'Full address of the sender.' }),
  tags: z
    .string()
    .regex(TAG_LIST, 'must be one or more tags, separated by commas')
    .transform((value) => [...new Set(value.split(',').map((tag) => tag.trim()))])
    .meta({
      override: { type: 'string', pattern: TAG_LIST.source },
      description: 'Tags, comma-separated; emails must have all of them.',
    })
    .optional(),
});

export const EmailParams = z.object({ id: z.string().meta({ description: 'Email ID (`msg_…`).' }) });

export const emailEndpoints = {
  'emails.send': {
    ...routes['emails.send'],
    summary: 'Send an email, now or at a scheduled time',
    acrossWorkspaces: true,
    body: SendEmail,
    bodyBytes: REQUEST_BODY_BYTES,
    response: EmailReceipt,
    status: 201,
    errors: ['bad_request', 'invalid', 'invalid_variables', 'template_not_found', 'domain_not_verified', 'upstream'],
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
