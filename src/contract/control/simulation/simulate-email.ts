import * as z from 'zod';
import { AnyAddressString } from '../../address.js';
import type { Contract } from '../../endpoint.js';
import { prefixedId, singleLineText, Timestamp } from '../../fields.js';
import { EmailParams, EmailStatus, RecipientStatus } from '../../service/emails.js';
import { USER_AGENT_CHARACTERS } from '../../vocabulary/limits.js';
import { outcomes } from '../../vocabulary/outcome.js';
import { controlRoutes } from '../../vocabulary/routes.js';
import { OutcomeFields, rejectIncompatibleDetails } from './outcome-fields.js';

/** Defines the control API's endpoint that simulates an outcome for a sent email. */

const SimulateEmail = OutcomeFields.extend({
  recipient: AnyAddressString.optional().meta({
    description: 'One recipient of the email. Required if it has several, unless `all` is true.',
  }),
  all: z.boolean().optional().meta({ description: 'Simulate the outcome for every recipient.' }),
  url: z
    .url({
      protocol: /^https?$/,
      error: ({ code }) => (code === 'invalid_format' ? 'must be an http or https URL' : undefined),
    })
    .max(2_048)
    .optional()
    .meta({
      description: 'Link to click. Default: the first link in the email.',
    }),
  user_agent: singleLineText(USER_AGENT_CHARACTERS, 1).optional(),
  ip_address: z
    .union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' })
    .optional()
    .meta({ description: 'IP address of the open or click.' }),
})
  .superRefine(rejectIncompatibleDetails)
  .superRefine(({ recipient, all }, context) => {
    if (recipient === undefined || !all) return;
    context.addIssue({ code: 'custom', path: ['all'], message: 'cannot be combined with recipient' });
  });
export type SimulateEmail = z.output<typeof SimulateEmail>;

const Simulated = z.object({
  id: prefixedId('msg'),
  outcome: z.enum(outcomes),
  status: EmailStatus,
  recipients: z.array(z.object({ address: z.string(), status: RecipientStatus })).meta({
    description: 'Recipients that the outcome was simulated for.',
  }),
  url: z.string().nullable().meta({ description: 'The link that was clicked; null for other outcomes.' }),
  due_at: Timestamp.nullable().meta({
    description: 'Time on the service’s clock when the rest of the outcome is due; null if nothing is left.',
  }),
});

export const simulateEndpoints = {
  'emails.simulate': {
    ...controlRoutes['emails.simulate'],
    summary: 'Simulate an outcome for a sent email',
    params: EmailParams,
    body: SimulateEmail,
    response: Simulated,
    status: 200,
    errors: ['bad_request', 'invalid', 'not_found', 'conflict', 'unavailable'],
    emits: ['email.delivered', 'email.bounced', 'email.complained', 'email.opened', 'email.clicked'],
  },
} as const satisfies Contract;
