import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { ChangedWorkspace, Duration, RecipientPattern, singleLineText, Timestamp } from '../../fields.js';
import { ADMIN_OR_WORKSPACE } from '../../vocabulary/access.js';
import { errorCodes } from '../../vocabulary/errors.js';
import {
  FAULT_NUMBER_MAX,
  FAULT_TEXT_CHARACTERS,
  faultDrops,
  faultStages,
  incompatibleFaultParts,
} from '../../vocabulary/faults/faults.js';
import { faultPresetNames } from '../../vocabulary/faults/presets.js';
import { QUERY_BYTES } from '../../vocabulary/query/fields.js';
import { controlRoutes } from '../../vocabulary/routes.js';

/** Defines the control API's endpoints for faults. */

const TARGET_CHARACTERS = 2_048;
const count = z.int().min(1).max(FAULT_NUMBER_MAX);

const targets = {
  smtp: z
    .enum(faultStages)
    .optional()
    .meta({ description: 'Stage of SMTP sessions; `end` is the end of the content.' }),
  http: singleLineText(TARGET_CHARACTERS, 1)
    .optional()
    .meta({
      description: 'Method and path of requests to the service; `{name}` is any segment, and * any text.',
      examples: ['POST /v1/emails'],
    }),
  webhook: singleLineText(TARGET_CHARACTERS, 1)
    .optional()
    .meta({ description: 'URL of webhook requests; * matches any text.', examples: ['*'] }),
};

const effects = {
  code: z.int().min(300).max(599).optional().meta({ description: 'Status of the reply or response.' }),
  text: singleLineText(FAULT_TEXT_CHARACTERS, 1)
    .optional()
    .meta({ description: 'Text of the SMTP reply or of the error, or body of the receiver’s response.' }),
  error: z
    .enum(errorCodes as [string, ...string[]])
    .optional()
    .meta({ description: 'Error code of the response. Default: the code of the status.' }),
  delay: Duration.optional().meta({ description: 'Time before the reply, response or attempt; at most 1 hour.' }),
  drop: z
    .enum(faultDrops)
    .optional()
    .meta({ description: 'Closes the connection before processing, or after it in place of the reply.' }),
  truncate: z
    .boolean()
    .optional()
    .meta({ description: 'Sends the first half of the response, and closes the connection.' }),
  retry_after: Duration.optional().meta({ description: 'Wait that status 429 or 503 asks for. Default: 1s.' }),
  greylist: Duration.optional().meta({
    description: 'Defers each new combination of client, sender and recipient for this time on the service’s clock.',
  }),
};

const selection = {
  times: count.optional().meta({ description: 'Number of times to inject the fault. Default: unlimited.' }),
  every: count.optional().meta({ description: 'Injects the fault into every nth match only.' }),
  probability: z.number().optional().meta({ description: 'Part of the matches, more than 0 and at most 1.' }),
  seed: z
    .int()
    .min(0)
    .max(FAULT_NUMBER_MAX)
    .optional()
    .meta({ description: 'Seed of the decisions by probability; the same seed repeats them. Default: 0.' }),
  after_messages: count.optional().meta({ description: 'Number of messages that an SMTP connection may send first.' }),
  from: RecipientPattern.optional().meta({ description: 'Pattern of the sender; * matches any text.' }),
  to: RecipientPattern.optional().meta({ description: 'Pattern of a recipient; * matches any text.' }),
  match: z.string().min(1).max(QUERY_BYTES).optional().meta({ description: 'Query that the email must match.' }),
};

const CreateFault = z
  .object({
    ...targets,
    ...effects,
    ...selection,
    preset: z.enum(faultPresetNames).optional().meta({ description: 'Name of the preset that the fault belongs to.' }),
    workspace: ChangedWorkspace,
  })
  .superRefine((value, context) => {
    for (const { path, message } of incompatibleFaultParts(value)) {
      context.addIssue({ code: 'custom', path: path === '' ? [] : [path], message });
    }
  });

export const Fault = z.object({
  id: z.string().meta({ description: 'Fault ID (`flt_…`).' }),
  smtp: z.enum(faultStages).nullable(),
  http: z.string().nullable(),
  webhook: z.string().nullable(),
  code: z.int().nullable(),
  text: z.string().nullable(),
  error: z.string().nullable(),
  delay_ms: z.int().min(0).nullable(),
  drop: z.enum(faultDrops).nullable(),
  truncate: z.boolean(),
  retry_after_ms: z.int().min(0).nullable(),
  greylist_ms: z.int().min(0).nullable(),
  times: z.int().min(1).nullable(),
  every: z.int().min(1).nullable(),
  probability: z.number().nullable(),
  seed: z.int().min(0).nullable(),
  after_messages: z.int().min(1).nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  match: z.string().nullable(),
  preset: z.enum(faultPresetNames).nullable(),
  hits: z.int().min(0).meta({ description: 'Number of times that the fault was injected.' }),
  times_left: z.int().min(0).nullable().meta({ description: 'Number of injections left; null for no limit.' }),
  workspace: z
    .string()
    .nullable()
    .meta({ description: 'Workspace that it applies to; null for what belongs to none.' }),
  created_at: Timestamp,
});
export type Fault = z.infer<typeof Fault>;

export const faultEndpoints = {
  'faults.list': {
    ...controlRoutes['faults.list'],
    summary: 'List faults in order of precedence',
    description: 'With the key of a workspace, those of the workspace; otherwise all.',
    response: z.object({ faults: z.array(Fault) }),
    status: 200,
  },
  'faults.create': {
    ...controlRoutes['faults.create'],
    summary: 'Add a fault; it takes precedence over existing faults',
    audited: ['preset', 'smtp', 'http', 'webhook', 'code', 'to', 'match', 'times', 'probability', 'workspace'],
    description:
      'It is injected into requests, SMTP sessions and webhooks of the workspace. A session belongs to a ' +
      'workspace from its login on.',
    keyKinds: ADMIN_OR_WORKSPACE,
    body: CreateFault,
    response: Fault,
    status: 201,
    errors: ['bad_request', 'invalid', 'not_found', 'forbidden', 'conflict'],
  },
  'faults.delete': {
    ...controlRoutes['faults.delete'],
    summary: 'Remove a fault',
    keyKinds: ADMIN_OR_WORKSPACE,
    audited: [],
    params: z.object({ id: z.string().meta({ description: 'Fault ID (`flt_…`).' }) }),
    status: 204,
    errors: ['forbidden', 'not_found'],
  },
  'faults.clear': {
    ...controlRoutes['faults.clear'],
    summary: 'Remove all faults',
    audited: [],
    description: 'With the key of a workspace, those of the workspace; otherwise all.',
    keyKinds: ADMIN_OR_WORKSPACE,
    response: z.object({ removed: z.int().min(0).meta({ description: 'Number of removed faults.' }) }),
    status: 200,
    errors: ['forbidden'],
  },
} as const satisfies Contract;
