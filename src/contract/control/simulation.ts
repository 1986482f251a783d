import { z } from 'zod';
import { AddressString } from '../address.js';
import type { Contract } from '../endpoint.js';
import { PageQuery, Pagination, prefixedId, singleLineText, Timestamp } from '../fields.js';
import { EmailStatus } from '../service/emails.js';
import { RULE_TIMES_MAX } from '../vocabulary/limits.js';
import { bounceTypes, complaintTypes, dropReasons, outcomes } from '../vocabulary/outcome.js';
import { incompatibleDetails, type OutcomeDetails } from '../vocabulary/outcome-details.js';
import { DURATION_FORM, readDuration } from '../vocabulary/parsers/duration.js';
import { DATE_TIME_FORM, readDateTime } from '../vocabulary/parsers/instant.js';
import { controlRoutes } from '../vocabulary/routes.js';

/** The part of the control API that plays out delivery: outcomes, rules, suppressions and time. */

/** Milliseconds, written as `90s`, `2h`, `1d12h` or `PT2H`. */
const Duration = z
  .string()
  .transform((value, context) => {
    const milliseconds = readDuration(value);
    if (milliseconds !== undefined) return milliseconds;
    context.addIssue({ code: 'custom', message: `must be ${DURATION_FORM}` });
    return z.NEVER;
  })
  .meta({ override: { type: 'string' }, examples: ['90s', '1d12h', 'PT2H'] });

const Instant = z
  .string()
  .transform((value, context) => {
    const at = readDateTime(value);
    if (at !== undefined) return at;
    context.addIssue({ code: 'custom', message: `must be ${DATE_TIME_FORM}` });
    return z.NEVER;
  })
  .meta({ override: { type: 'string' }, examples: ['2026-01-31T12:00:00Z'] });

const REASON_CHARACTERS = 512;
const PATTERN_CHARACTERS = 256;
const USER_AGENT_CHARACTERS = 512;

/** An outcome, and what its events say where the usual is not wanted. */
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

/** Refuses details that the outcome has no use for: a bounce type on a delivery is a mistake. */
function detailsFit(value: OutcomeDetails, context: z.RefinementCtx): void {
  for (const { path, message } of incompatibleDetails(value))
    context.addIssue({ code: 'custom', path: [path], message });
}

const SimulateEmail = OutcomeFields.extend({
  recipient: AddressString.optional().meta({ description: 'One recipient of the email. Default: all recipients.' }),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
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
}).superRefine(detailsFit);
export type SimulateEmail = z.output<typeof SimulateEmail>;

const Simulated = z.object({
  id: prefixedId('msg'),
  outcome: z.enum(outcomes),
  status: EmailStatus,
  recipients: z.array(z.object({ address: z.string(), status: EmailStatus })).meta({
    description: 'Recipients that the outcome was simulated for.',
  }),
});

const CreateRule = OutcomeFields.extend({
  to: singleLineText(PATTERN_CHARACTERS, 1).meta({
    description: 'Recipient pattern; * matches any text.',
    examples: ['*@corp.test'],
  }),
  times: z
    .int()
    .min(1)
    .max(RULE_TIMES_MAX)
    .optional()
    .meta({ description: 'Number of emails the rule applies to. Default: unlimited.' }),
}).superRefine(detailsFit);

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
  created_at: Timestamp,
});
export type Rule = z.infer<typeof Rule>;

const suppressionReasons = ['hard_bounce', 'complaint', 'manual'] as const;

export const Suppression = z.object({
  address: z.string(),
  reason: z.enum(suppressionReasons),
  email_id: prefixedId('msg').nullable().meta({ description: 'The email that bounced or caused the complaint.' }),
  created_at: Timestamp,
});
export type Suppression = z.infer<typeof Suppression>;

export const ClockState = z.object({
  now: Timestamp,
  frozen: z.boolean(),
  offset_ms: z.int().meta({ description: 'Milliseconds by which the service’s clock is ahead of the system time.' }),
});
export type ClockState = z.infer<typeof ClockState>;

const TimeTravel = ClockState.extend({
  ran: z.record(z.string(), z.int().min(1)).meta({ description: 'Number of jobs that ran, by kind.' }),
});
export type TimeTravel = z.infer<typeof TimeTravel>;

export const simulationEndpoints = {
  'emails.simulate': {
    ...controlRoutes['emails.simulate'],
    summary: 'Simulate an outcome for a sent email',
    params: z.object({ id: z.string().meta({ description: 'Email ID (`msg_…`).' }) }),
    body: SimulateEmail,
    response: Simulated,
    status: 200,
    errors: ['bad_request', 'invalid', 'not_found', 'conflict', 'unavailable'],
    emits: ['email.delivered', 'email.bounced', 'email.complained', 'email.opened', 'email.clicked'],
  },
  'rules.list': {
    ...controlRoutes['rules.list'],
    summary: 'List outcome rules in order of precedence',
    response: z.object({ rules: z.array(Rule) }),
    status: 200,
  },
  'rules.create': {
    ...controlRoutes['rules.create'],
    summary: 'Add a rule; it takes precedence over existing rules',
    body: CreateRule,
    response: Rule,
    status: 201,
    errors: ['bad_request', 'invalid'],
  },
  'rules.delete': {
    ...controlRoutes['rules.delete'],
    summary: 'Remove a rule',
    params: z.object({ id: z.string().meta({ description: 'Rule ID (`rul_…`).' }) }),
    status: 204,
    errors: ['not_found'],
  },
  'suppressions.list': {
    ...controlRoutes['suppressions.list'],
    summary: 'List suppressed addresses, newest first',
    query: PageQuery,
    response: z.object({ suppressions: z.array(Suppression), pagination: Pagination }),
    status: 200,
    errors: ['bad_request'],
  },
  'suppressions.create': {
    ...controlRoutes['suppressions.create'],
    summary: 'Add an address to the suppression list',
    description: 'Adding an address again has no effect.',
    body: z.object({ address: AddressString }),
    response: Suppression,
    status: 201,
    errors: ['bad_request', 'invalid'],
  },
  'suppressions.delete': {
    ...controlRoutes['suppressions.delete'],
    summary: 'Remove an address from the suppression list',
    params: z.object({ address: z.string() }),
    status: 204,
    errors: ['not_found'],
  },
  'clock.get': {
    ...controlRoutes['clock.get'],
    summary: 'Show the service’s clock',
    response: ClockState,
    status: 200,
  },
  'clock.advance': {
    ...controlRoutes['clock.advance'],
    summary: 'Advance the service’s clock',
    description: 'Runs all jobs that fall due in that span, in order, and responds when they have finished.',
    body: z.object({ by: Duration }),
    response: TimeTravel,
    status: 200,
    errors: ['bad_request', 'invalid'],
  },
  'clock.update': {
    ...controlRoutes['clock.update'],
    summary: 'Set, freeze, resume or reset the service’s clock',
    description: 'Moving forward runs all jobs that fall due in between.',
    body: z
      .object({
        now: Instant.optional(),
        frozen: z.boolean().optional(),
        offset_ms: z.literal(0).optional().meta({
          description: 'Resets the clock to the system time and unfreezes it; cannot be combined with other fields.',
        }),
      })
      .refine(
        ({ now, frozen, offset_ms }) => (now === undefined && frozen === undefined) !== (offset_ms === undefined),
        'must contain now, frozen or both, or only offset_ms',
      ),
    response: TimeTravel,
    status: 200,
    errors: ['bad_request', 'invalid'],
  },
} as const satisfies Contract;
