import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { Duration, nameText, Timestamp } from '../fields.js';
import { ApiKey, CreatedApiKey, Environment } from '../service/api-keys.js';
import { ADMIN, keyKinds } from '../vocabulary/key-kinds.js';
import { API_KEY_NAME_CHARACTERS, KEY_RATE_LIMIT_MAX } from '../vocabulary/limits.js';
import { controlRoutes } from '../vocabulary/routes.js';

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
    description: 'Returns the key itself only once.',
    keyKinds: ADMIN,
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
