import { z } from 'zod';
import { AddressString } from './address.js';
import { DURATION_FORM, readDuration } from './duration.js';
import { EmailStatus } from './email.js';
import type { Contract } from './endpoint.js';
import { idOf, lineOfText, PageQuery, Pagination, Timestamp } from './fields.js';
import { DATE_TIME_FORM, readDateTime } from './instant.js';
import { RULE_TIMES_MAX } from './limits.js';
import { bounceTypes, complaintTypes, dropReasons, outcomes } from './outcome.js';
import { misfits, type OutcomeDetails } from './outcome-details.js';
import { controlRoutes } from './routes.js';

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
  bounce_type: z.enum(bounceTypes).optional().meta({ description: 'Of a bounce: hard when absent.' }),
  complaint_type: z.enum(complaintTypes).optional().meta({ description: 'Of a complaint: abuse when absent.' }),
  drop_reason: z.enum(dropReasons).optional().meta({ description: 'Of a drop: invalid_address when absent.' }),
  reason: lineOfText(REASON_CHARACTERS, 1)
    .optional()
    .meta({
      description: 'Of a bounce: what the recipient’s server said.',
      examples: ['550 5.1.1 The mailbox does not exist'],
    }),
  delay: Duration.optional().meta({ description: 'How long after sending the first of its events comes.' }),
});

/** Refuses details that the outcome has no use for: a bounce type on a delivery is a mistake. */
function detailsFit(value: OutcomeDetails, context: z.RefinementCtx): void {
  for (const { path, message } of misfits(value)) context.addIssue({ code: 'custom', path: [path], message });
}

const SimulateEmail = OutcomeFields.extend({
  recipient: AddressString.optional().meta({ description: 'One recipient of the email; all of them when absent.' }),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2_048)
    .optional()
    .meta({
      description: 'The link that is clicked; the first one of the email when absent.',
    }),
  user_agent: lineOfText(USER_AGENT_CHARACTERS, 1).optional(),
  ip_address: z
    .union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' })
    .optional()
    .meta({ description: 'Where the open or the click comes from.' }),
}).superRefine(detailsFit);
export type SimulateEmail = z.output<typeof SimulateEmail>;

const Simulated = z.object({
  id: idOf('msg'),
  outcome: z.enum(outcomes),
  status: EmailStatus,
  recipients: z.array(z.object({ address: z.string(), status: EmailStatus })).meta({
    description: 'Those whom it was simulated for.',
  }),
});
export type Simulated = z.infer<typeof Simulated>;

const CreateRule = OutcomeFields.extend({
  to: lineOfText(PATTERN_CHARACTERS, 1).meta({
    description: 'Recipients, with * for any text.',
    examples: ['*@corp.test'],
  }),
  times: z
    .int()
    .min(1)
    .max(RULE_TIMES_MAX)
    .optional()
    .meta({ description: 'How many mails it holds for; all when absent.' }),
}).superRefine(detailsFit);
export type CreateRule = z.output<typeof CreateRule>;

export const Rule = z.object({
  id: z.string().meta({ description: 'A rul_ identifier.' }),
  to: z.string(),
  outcome: z.enum(outcomes),
  bounce_type: z.enum(bounceTypes).nullable(),
  complaint_type: z.enum(complaintTypes).nullable(),
  drop_reason: z.enum(dropReasons).nullable(),
  reason: z.string().nullable(),
  delay_ms: z.int().min(0).nullable(),
  times: z.int().min(1).nullable().meta({ description: 'null: for every mail.' }),
  used: z.int().min(0).meta({ description: 'How many mails it has decided so far.' }),
  created_at: Timestamp,
});
export type Rule = z.infer<typeof Rule>;

export const suppressionReasons = ['hard_bounce', 'complaint', 'manual'] as const;

export const Suppression = z.object({
  address: z.string(),
  reason: z.enum(suppressionReasons),
  email_id: idOf('msg').nullable().meta({ description: 'The email that bounced or was complained of.' }),
  created_at: Timestamp,
});
export type Suppression = z.infer<typeof Suppression>;

export const ClockState = z.object({
  now: Timestamp,
  frozen: z.boolean(),
  offset_ms: z.int().meta({ description: 'How far the service’s time is ahead of the machine’s.' }),
});
export type ClockState = z.infer<typeof ClockState>;

const TimeTravel = ClockState.extend({
  ran: z.record(z.string(), z.int().min(1)).meta({ description: 'How many jobs of each kind ran on the way.' }),
});
export type TimeTravel = z.infer<typeof TimeTravel>;

export const simulationEndpoints = {
  'emails.simulate': {
    ...controlRoutes['emails.simulate'],
    summary: 'Let something happen to an email that was sent',
    params: z.object({ id: z.string().meta({ description: 'A msg_ identifier.' }) }),
    body: SimulateEmail,
    response: Simulated,
    status: 200,
    errors: ['bad_request', 'invalid', 'not_found', 'conflict'],
    emits: ['email.delivered', 'email.bounced', 'email.complained', 'email.opened', 'email.clicked'],
  },
  'rules.list': {
    ...controlRoutes['rules.list'],
    summary: 'Rules for the outcome of mail, the one that is asked first first',
    response: z.object({ rules: z.array(Rule) }),
    status: 200,
  },
  'rules.create': {
    ...controlRoutes['rules.create'],
    summary: 'Add a rule; it is asked before the ones that are there',
    body: CreateRule,
    response: Rule,
    status: 201,
    errors: ['bad_request', 'invalid'],
  },
  'rules.delete': {
    ...controlRoutes['rules.delete'],
    summary: 'Remove a rule',
    params: z.object({ id: z.string().meta({ description: 'A rul_ identifier.' }) }),
    status: 204,
    errors: ['not_found'],
  },
  'suppressions.list': {
    ...controlRoutes['suppressions.list'],
    summary: 'Addresses that nothing is sent to, newest first',
    query: PageQuery,
    response: z.object({ suppressions: z.array(Suppression), pagination: Pagination }),
    status: 200,
    errors: ['bad_request'],
  },
  'suppressions.create': {
    ...controlRoutes['suppressions.create'],
    summary: 'Suppress an address; one that already is stays as it is',
    body: z.object({ address: AddressString }),
    response: Suppression,
    status: 201,
    errors: ['bad_request', 'invalid'],
  },
  'suppressions.delete': {
    ...controlRoutes['suppressions.delete'],
    summary: 'Let mail go to an address again',
    params: z.object({ address: z.string() }),
    status: 204,
    errors: ['not_found'],
  },
  'clock.get': {
    ...controlRoutes['clock.get'],
    summary: 'The service’s time',
    response: ClockState,
    status: 200,
  },
  'clock.advance': {
    ...controlRoutes['clock.advance'],
    summary: 'Move time forward, and run the jobs due on the way, each at its own time; answers when they are done',
    body: z.object({ by: Duration }),
    response: TimeTravel,
    status: 200,
    errors: ['bad_request', 'invalid'],
  },
  'clock.update': {
    ...controlRoutes['clock.update'],
    summary: 'Set, freeze or resume time, or go back to the machine’s; forward, what is due on the way runs',
    body: z
      .object({
        now: Instant.optional(),
        frozen: z.boolean().optional(),
        offset_ms: z.literal(0).optional().meta({ description: 'Alone: back to the machine’s time, which passes.' }),
      })
      .refine(
        ({ now, frozen, offset_ms }) => (now === undefined && frozen === undefined) !== (offset_ms === undefined),
        'must hold now, frozen or both, or offset_ms alone',
      ),
    response: TimeTravel,
    status: 200,
    errors: ['bad_request', 'invalid'],
  },
} as const satisfies Contract;
