import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { Duration, nameText, RecipientPattern, Timestamp } from '../fields.js';
import { ApiKey, CreatedApiKey, Environment } from '../service/api-keys.js';
import {
  ADMIN,
  API_KEY_FORM,
  keyKinds,
  WITHOUT_WORKSPACE,
  WORKSPACE_NAME,
  WORKSPACE_NAME_FORM,
} from '../vocabulary/access.js';
import { API_KEY_NAME_CHARACTERS, KEY_RATE_LIMIT_MAX } from '../vocabulary/limits.js';
import { controlRoutes } from '../vocabulary/routes.js';

/** Defines the control API's endpoints for workspaces. */

/** Maximum number of patterns of one workspace. */
const ADDRESSES_MAX = 100;
const KEEP_MAX = 1_000_000_000;
const QUOTA_MAX = 1_000_000_000;

export const Workspace = z.object({
  name: z.string().meta({ description: 'Name, and the user name of its SMTP logins.' }),
  addresses: z.array(z.string()).meta({ description: 'Patterns of recipients whose emails belong to the workspace.' }),
  emails: z.int().min(0).meta({ description: 'Number of its emails.' }),
  keep: z.int().nullable().meta({ description: 'Number of its emails to keep; null for the limit of the server.' }),
  max_age_ms: z
    .int()
    .nullable()
    .meta({ description: 'Maximum age of its emails in milliseconds; null for the limit of the server.' }),
  monthly_quota: z.int().nullable().meta({
    description:
      'Number of recipients that its emails may be sent to in a month (UTC); null for the limit of the plan.',
  }),
  sent_this_month: z.int().min(0).meta({ description: 'Number of recipients that its emails were sent to.' }),
  expires_at: Timestamp.nullable().meta({ description: 'When it is deleted with its emails; null for never.' }),
  created_at: Timestamp,
});
export type Workspace = z.infer<typeof Workspace>;

/** What the server and its plan limit, too. */
const limits = {
  keep: z
    .int()
    .min(1)
    .max(KEEP_MAX)
    .meta({ description: 'Number of its emails to keep, the newest. Default: the limit of the server.' }),
  max_age: Duration.refine((age) => age > 0, 'must be more than 0').meta({
    description: 'Maximum age of its emails, in real time. Default: the limit of the server.',
  }),
  monthly_quota: z.int().min(0).max(QUOTA_MAX).meta({
    description:
      'Number of recipients that its emails may be sent to in a calendar month (UTC). Default: the limit of the plan.',
  }),
};

const NewWorkspace = z.object({
  name: z
    .string()
    .regex(WORKSPACE_NAME, `must be ${WORKSPACE_NAME_FORM}`)
    .optional()
    .meta({ description: 'Name (default: a random one).', examples: ['worker-3'] }),
  addresses: z
    .array(RecipientPattern)
    .max(ADDRESSES_MAX, `must have at most ${ADDRESSES_MAX} patterns`)
    .default([])
    .meta({
      description: 'Patterns of recipients, in which * matches any text. A key or a login takes precedence.',
      examples: [['*@w3.example.test']],
    }),
  keep: limits.keep.optional(),
  max_age: limits.max_age.optional(),
  monthly_quota: limits.monthly_quota.optional(),
  ttl: Duration.refine((ttl) => ttl > 0, 'must be more than 0')
    .optional()
    .meta({
      description:
        'Time after which the workspace is deleted with its emails, webhooks and API keys. Required with a key that ' +
        'creates workspaces, at most a day. Default: never.',
    }),
});

export const workspaceEndpoints = {
  'workspaces.list': {
    ...controlRoutes['workspaces.list'],
    summary: 'List workspaces, oldest first',
    response: z.object({ workspaces: z.array(Workspace) }),
    status: 200,
  },
  'workspaces.create': {
    ...controlRoutes['workspaces.create'],
    summary: 'Create a workspace with an API key',
    keyKinds: ['admin', 'creator'],
    audited: ['addresses', 'keep', 'max_age', 'monthly_quota', 'ttl'],
    description: 'Calls with this key see only the emails and webhooks of the workspace.',
    body: NewWorkspace,
    response: Workspace.extend({
      api_key: z.string().regex(API_KEY_FORM).meta({ description: 'API key of the workspace; not shown again.' }),
    }),
    status: 201,
    errors: ['bad_request', 'invalid', 'conflict', 'forbidden'],
    emits: ['api_key.created'],
  },
  'workspaces.update': {
    ...controlRoutes['workspaces.update'],
    summary: 'Change the limits of a workspace',
    keyKinds: ADMIN,
    audited: ['keep', 'max_age', 'monthly_quota'],
    description: 'Null restores the default of a limit. Limits that the request does not contain stay.',
    params: z.object({ name: z.string() }),
    body: z.object({
      keep: limits.keep.nullable().optional(),
      max_age: limits.max_age.nullable().optional(),
      monthly_quota: limits.monthly_quota.nullable().optional(),
    }),
    response: Workspace,
    status: 200,
    errors: ['bad_request', 'invalid', 'not_found', 'forbidden'],
  },
  'workspaces.delete': {
    ...controlRoutes['workspaces.delete'],
    summary: 'Delete a workspace with its emails, webhooks and API keys',
    keyKinds: ADMIN,
    audited: [],
    params: z.object({ name: z.string() }),
    status: 204,
    errors: ['not_found', 'forbidden'],
    emits: ['api_key.revoked'],
  },
} as const satisfies Contract;

/** Defines the control API's endpoints for API keys, with the kinds that the service does not have. */

const kind = {
  kind: z.enum(keyKinds).meta({
    description:
      'On a server for a team, only admin keys affect everyone. A key of kind `creator` only creates workspaces.',
  }),
  workspace: z.string().nullable().meta({ description: 'Workspace to which calls with the key are limited.' }),
  owner: z.string().nullable().meta({ description: 'Name of the person or job that uses the key.' }),
  expires_at: Timestamp.nullable().meta({ description: 'When the key stops working; null for never.' }),
};

export const controlApiKeyEndpoints = {
  'api-keys.inspect': {
    ...controlRoutes['api-keys.inspect'],
    summary: 'List API keys with their kinds, newest first',
    response: z.object({ api_keys: z.array(ApiKey.extend(kind)) }),
    status: 200,
  },
  'api-keys.issue': {
    ...controlRoutes['api-keys.issue'],
    summary: 'Create an API key of any kind',
    audited: ['name', 'environment', 'admin', 'creates_workspaces', 'owner', 'expires_in', 'workspace'],
    description:
      'Returns the key itself only once. An ordinary key creates only ordinary keys without a workspace, with its own owner.',
    keyKinds: WITHOUT_WORKSPACE,
    body: z.object({
      name: nameText(API_KEY_NAME_CHARACTERS),
      environment: Environment.default('test'),
      rate_limit: z.int().min(1).max(KEY_RATE_LIMIT_MAX).optional().meta({ description: 'Requests per minute.' }),
      admin: z.boolean().default(false).meta({ description: 'Creates an admin key.' }),
      creates_workspaces: z.boolean().default(false).meta({
        description: 'Creates a key that creates workspaces with a limited life, and can do nothing else.',
      }),
      owner: nameText(API_KEY_NAME_CHARACTERS)
        .optional()
        .meta({ description: 'Name of the person or job that uses the key.' }),
      expires_in: Duration.refine((time) => time > 0, 'must be more than 0')
        .optional()
        .meta({ description: 'Time until the key stops working. Default: never.' }),
      workspace: z.string().optional().meta({ description: 'Name of an existing workspace.' }),
    }),
    response: CreatedApiKey.extend(kind),
    status: 201,
    errors: ['bad_request', 'invalid', 'forbidden', 'not_found'],
    emits: ['api_key.created'],
  },
} as const satisfies Contract;
