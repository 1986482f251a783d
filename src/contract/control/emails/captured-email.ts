import * as z from 'zod';
import { prefixedId, Timestamp } from '../../fields.js';
import { EmailDetail, RecipientStatus } from '../../service/emails.js';
import { linkKinds } from '../../vocabulary/emails.js';

/** Defines an email as tests use it, with everything that they compare. */

export const EmailLink = z.object({
  text: z.string(),
  href: z.string().meta({ description: 'URL without svc’s tracking.' }),
  kind: z.enum(linkKinds),
});

export const EmailCode = z.object({
  value: z.string().meta({ description: 'The code without spaces and hyphens between its groups.' }),
  context: z.string(),
  confidence: z.number().min(0).max(1),
});

export const EmailRecipient = z.object({
  kind: z.enum(['to', 'cc', 'bcc']),
  address: z.string(),
  mailbox: z.string(),
  status: RecipientStatus,
});

export const EmailAttachment = z.object({
  index: z.int().min(0),
  filename: z.string(),
  content_type: z.string(),
  size: z.int().min(0).meta({ description: 'Size after decoding, in bytes.' }),
});

export const AddedTags = z.array(z.string()).meta({ description: 'Tags that were added later, by hand.' });

/** The service's form of an email, with the fields that a local server adds. */
export const CapturedEmail = EmailDetail.extend({
  cursor: z.string().meta({ description: 'Position in the order of acceptance, for `since`.' }),
  origin: z.enum(['rest', 'smtp']),
  workspace: z.string().nullable(),
  added_tags: AddedTags,
  reply_to: z.string().nullable(),
  recipients: z.array(EmailRecipient),
  html_text: z.string().meta({ description: 'The HTML as text; empty without HTML.' }),
  headers: z.array(
    z.object({
      name: z.string(),
      value: z.string().meta({ description: 'Decoded. Names of addresses are quoted where they have to be.' }),
      raw: z.string().optional().meta({ description: 'As in the message, where that differs from `value`.' }),
    }),
  ),
  attachments: z.array(EmailAttachment),
  links: z.array(EmailLink),
  codes: z.array(EmailCode),
  warnings: z.array(z.string()).meta({ description: 'Codes of the warnings about it.' }),
  read: z.boolean(),
  size: z.int().min(0),
  captured_at: Timestamp.meta({ description: 'On the machine’s clock.' }),
});
export type CapturedEmail = z.infer<typeof CapturedEmail>;

/** An email that does not match a query, and why. */
export const NearMiss = z.object({
  id: prefixedId('msg'),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  created_at: Timestamp,
  failed: z.array(
    z.object({
      condition: z.string().meta({ description: 'The condition as written in the query.' }),
      actual: z.string().meta({ description: 'What the email has instead.' }),
    }),
  ),
});
export type NearMiss = z.infer<typeof NearMiss>;
