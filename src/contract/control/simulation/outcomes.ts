import * as z from 'zod';
import { AnyAddressString } from '../../address.js';
import type { Contract } from '../../endpoint.js';
import { ChangedWorkspace, Duration, prefixedId, RecipientPattern, singleLineText, Timestamp } from '../../fields.js';
import { EmailParams, EmailStatus, RecipientStatus } from '../../service/emails.js';
import { ADMIN_OR_WORKSPACE } from '../../vocabulary/access.js';
import { RULE_TIMES_MAX, USER_AGENT_CHARACTERS } from '../../vocabulary/limits.js';
import {
  bounceTypes,
  complaintTypes,
  dropReasons,
  incompatibleDetails,
  type OutcomeDetails,
  outcomes,
} from '../../vocabulary/outcomes.js';
import { controlRoutes } from '../../vocabulary/routes.js';

/** Defines the fields of a simulated outcome, which rules and the simulation of a sent email share. */

const REASON_CHARACTERS = 512;

/** An outcome, and values that replace the defaults in its events. */
const OutcomeFields = z.object({
  outcome: z.enum(outcomes),
  bounce_type: z.enum(bounceTypes).optional().meta({ description: 'Bounce type. Default: hard.' }),
  complaint_type: z.enum(complaintTypes).optional().meta({ description: 'Complaint type. Default: abuse.' }),
  drop_reason: z.enum(dropReasons).optional().meta({ description: 'Drop reason. Default: invalid_address.' }),
  reason: singleLineText(REASON_CHARACTERS, 1)
    .optional()
    .meta({
      description: 'Bounce reason, as the recipient’s server states it.',
      examples: ['550 5.1.1 The mailbox does not exist'],
    }),
  delay: Duration.optional().meta({ description: 'Delay between sending and the first event of the outcome.' }),
});

/** Rejects details that do not apply to the outcome, such as a bounce type for a delivery. */
function rejectIncompatibleDetails(value: OutcomeDetails, context: z.RefinementCtx): void {
  for (const { path, message } of incompatibleDetails(value))
    context.addIssue({ code: 'custom', path: [path], message });
}

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

/** Defines the control API's endpoints for outcome rules. */

const CreateRule = OutcomeFields.extend({
  to: RecipientPattern.meta({
    description: 'Recipient pattern; * matches any text.',
    examples: ['*@corp.test'],
  }),
  times: z
    .int()
    .min(1)
    .max(RULE_TIMES_MAX)
    .optional()
    .meta({ description: 'Number of emails the rule applies to. Default: unlimited.' }),
  workspace: ChangedWorkspace,
}).superRefine(rejectIncompatibleDetails);

export const Rule = z.object({
  id: z.string().meta({ description: 'Rule ID (`rul_…`).' }),
  to: z.string(),
  outcome: z.enum(outcomes),
  bounce_type: z.enum(bounceTypes).nullable(),
  complaint_type: z.enum(complaintTypes).nullable(),
  drop_reason: z.enum(dropReasons).nullable(),
  reason: z.string().nullable(),
  delay_ms: z.int().min(0).nullable(),
  times: z.int().min(1).nullable().meta({ description: 'Number of emails the rule applies to; null means unlimited.' }),
  used: z.int().min(0).meta({ description: 'Number of emails the rule has applied to so far.' }),
  workspace: z
    .string()
    .nullable()
    .meta({ description: 'Workspace that it applies to; null for what belongs to none.' }),
  created_at: Timestamp,
});
export type Rule = z.infer<typeof Rule>;

export const ruleEndpoints = {
  'rules.list': {
    ...controlRoutes['rules.list'],
    summary: 'List outcome rules in order of precedence',
    description: 'With the key of a workspace, those of the workspace; otherwise all.',
    response: z.object({ rules: z.array(Rule) }),
    status: 200,
  },
  'rules.create': {
    ...controlRoutes['rules.create'],
    summary: 'Add a rule; it takes precedence over existing rules',
    audited: ['to', 'outcome', 'times', 'workspace'],
    description: 'It applies to emails of the workspace.',
    keyKinds: ADMIN_OR_WORKSPACE,
    body: CreateRule,
    response: Rule,
    status: 201,
    errors: ['bad_request', 'invalid', 'not_found', 'forbidden'],
  },
  'rules.delete': {
    ...controlRoutes['rules.delete'],
    summary: 'Remove a rule',
    keyKinds: ADMIN_OR_WORKSPACE,
    audited: [],
    params: z.object({ id: z.string().meta({ description: 'Rule ID (`rul_…`).' }) }),
    status: 204,
    errors: ['not_found'],
  },
} as const satisfies Contract;
