import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { nameText, prefixedId, Timestamp } from '../fields.js';
import { API_KEY_FORM } from '../vocabulary/access.js';
import { API_KEY_NAME_CHARACTERS, KEY_RATE_LIMIT_MAX } from '../vocabulary/limits.js';
import { routes } from '../vocabulary/routes.js';

/** The environment of an API key. Specification: Authentication; gap 14. */
export const Environment = z.enum(['live', 'test']);
export type Environment = z.infer<typeof Environment>;

export const keyPrefixes: Record<Environment, string> = { live: 'svc_live_', test: 'svc_test_' };

export const ApiKey = z.object({
  id: prefixedId('key'),
  name: z.string(),
  environment: Environment,
  rate_limit: z.int().min(1),
  created_at: Timestamp,
});
export type ApiKey = z.infer<typeof ApiKey>;

export const CreatedApiKey = ApiKey.extend({
  key: z.string().regex(API_KEY_FORM).meta({ description: 'The API key itself; not shown again.' }),
});
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const apiKeyEndpoints = {
  'api-keys.list': {
    ...routes['api-keys.list'],
    summary: 'List API keys, newest first',
    response: z.object({ api_keys: z.array(ApiKey) }),
    status: 200,
  },
  'api-keys.create': {
    ...routes['api-keys.create'],
    summary: 'Create an API key',
    audited: ['name', 'environment'],
    description: 'Returns the key itself only once.',
    body: z.object({
      name: nameText(API_KEY_NAME_CHARACTERS),
      environment: Environment,
      rate_limit: z.int().min(1).max(KEY_RATE_LIMIT_MAX).optional().meta({ description: 'Requests per minute.' }),
    }),
    response: CreatedApiKey,
    onlyHere: ['key'],
    status: 201,
    errors: ['bad_request', 'invalid', 'forbidden'],
    emits: ['api_key.created'],
  },
  'api-keys.revoke': {
    ...routes['api-keys.revoke'],
    summary: 'Revoke an API key',
    audited: [],
    params: z.object({ id: z.string().meta({ description: 'API key ID (`key_…`).' }) }),
    status: 204,
    errors: ['not_found', 'forbidden'],
    emits: ['api_key.revoked'],
  },
} as const satisfies Contract;
