import * as z from 'zod';
import { AnyAddressString } from '../../address.js';
import type { Contract } from '../../endpoint.js';
import { prefixedId, Timestamp } from '../../fields.js';
import { EmailParams } from '../../service/emails.js';
import { RECIPIENTS_MAX } from '../../vocabulary/limits.js';
import { controlRoutes } from '../../vocabulary/routes.js';

/** Defines the control API's endpoint that sends a captured email through a real SMTP server. */

export const EmailRelease = z.object({
  released_at: Timestamp,
  relay: z.string().meta({ description: 'Host and port of the SMTP server.' }),
  mail_from: z.string(),
  rcpt_to: z.array(z.string()),
  reply: z.string().nullable().meta({ description: 'Reply of the SMTP server; null without one.' }),
  error: z.string().nullable().meta({ description: 'Reason why nothing was sent; null if it was.' }),
  rejected: z
    .array(z.object({ address: z.string(), reply: z.string() }))
    .meta({ description: 'Recipients that the SMTP server refused, while it accepted others.' }),
});
export type EmailRelease = z.infer<typeof EmailRelease>;

export const releaseEndpoints = {
  'emails.release': {
    ...controlRoutes['emails.release'],
    summary: 'Send a captured email through a real SMTP server',
    audited: ['to'],
    description:
      'Sends the message as it was captured, to recipients that `--relay-allow` permits. The attempt is recorded. 403 if ' +
      'a recipient is not allowed, 409 without a relay, 500 `upstream_error` with the reply of the SMTP server.',
    params: EmailParams,
    body: z.object({
      to: z
        .array(AnyAddressString)
        .min(1)
        .max(RECIPIENTS_MAX)
        .optional()
        .meta({ description: 'Recipients (default: those of the email).' }),
    }),
    response: EmailRelease,
    status: 200,
    errors: ['bad_request', 'invalid', 'not_found', 'forbidden', 'conflict', 'upstream', 'unavailable'],
  },
} as const satisfies Contract;

/** Defines the control API's endpoint that sends an email again. */

export const resendEndpoints = {
  'emails.resend': {
    ...controlRoutes['emails.resend'],
    summary: 'Send a new email with the same content',
    description:
      'Sends it at once to the same recipients, with tracking of its own. An email that was sent over REST has the same ' +
      'content again, and a message that was received over SMTP the same bytes and envelope.',
    params: EmailParams,
    response: z.object({ id: prefixedId('msg').meta({ description: 'ID of the new email.' }) }),
    status: 201,
    errors: ['bad_request', 'invalid', 'not_found', 'conflict', 'domain_not_verified', 'unavailable'],
    emits: ['email.sent', 'email.delivered', 'email.bounced', 'email.complained', 'email.dropped'],
  },
} as const satisfies Contract;
