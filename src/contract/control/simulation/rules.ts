import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { RecipientPattern, Timestamp } from '../../fields.js';
import { ADMIN_OR_WORKSPACE } from '../../vocabulary/key-kinds.js';
import { RULE_TIMES_MAX } from '../../vocabulary/limits.js';
import { bounceTypes, complaintTypes, dropReasons, outcomes } from '../../vocabulary/outcome.js';
import { controlRoutes } from '../../vocabulary/routes.js';
import { OutcomeFields, rejectIncompatibleDetails } from './outcome-fields.js';

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
    description: 'It applies to emails of the caller’s workspace.',
    keyKinds: ADMIN_OR_WORKSPACE,
    body: CreateRule,
    response: Rule,
    status: 201,
    errors: ['bad_request', 'invalid'],
  },
  'rules.delete': {
    ...controlRoutes['rules.delete'],
    summary: 'Remove a rule',
    keyKinds: ADMIN_OR_WORKSPACE,
    params: z.object({ id: z.string().meta({ description: 'Rule ID (`rul_…`).' }) }),
    status: 204,
    errors: ['not_found'],
  },
} as const satisfies Contract;
