import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { prefixedId } from '../../fields.js';
import { EmailParams } from '../../service/emails.js';
import { controlRoutes } from '../../vocabulary/routes.js';

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
