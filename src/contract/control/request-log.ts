import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { integerParameter, prefixedId, singleLineText, Timestamp } from '../fields.js';
import { WITHOUT_WORKSPACE } from '../vocabulary/key-kinds.js';
import { LOGGED_DETAILS_MAX, LOGGED_REQUESTS_DEFAULT, LOGGED_REQUESTS_MAX } from '../vocabulary/limits.js';
import { readStatusRange, STATUS_RANGE_FORM } from '../vocabulary/parsers/status-range.js';
import { controlRoutes } from '../vocabulary/routes.js';
import { WarningRecord } from './warnings.js';

/** Defines the control API's endpoints for the request log: requests to the service, and their responses. */

export const LoggedRequest = z.object({
  seq: z.int(),
  request_id: prefixedId('req'),
  created_at: Timestamp,
  method: z.string(),
  path: z.string().meta({ description: 'Path without the query string; API keys in it are masked.' }),
  status: z.int().meta({ description: 'Status of the response; 0 if a fault closed the connection without one.' }),
  ms: z.number().min(0).meta({ description: 'Milliseconds from the request headers to the end of the response.' }),
  key_id: z.string().nullable().meta({ description: 'API key ID; null without a valid key.' }),
  user_agent: z.string().nullable().meta({ description: 'Client, from the User-Agent header.' }),
  error_code: z.string().nullable(),
  error_message: z
    .string()
    .nullable()
    .meta({ description: 'Message of the error, shortened; API keys in it are masked.' }),
  error_details: z.array(z.object({ path: z.string(), message: z.string() })).meta({
    description: `First ${LOGGED_DETAILS_MAX} invalid fields or parameters that the error lists.`,
  }),
  warnings: z
    .array(WarningRecord)
    .meta({ description: 'Warnings about the request. A strict server refuses it because of them.' }),
});
export type LoggedRequest = z.infer<typeof LoggedRequest>;

/** Parses `404` or `4xx` to a range of statuses. */
const StatusRange = z
  .string()
  .transform((text, context) => {
    const range = readStatusRange(text);
    if (range) return range;
    context.addIssue({ code: 'custom', message: `must be ${STATUS_RANGE_FORM}` });
    return z.NEVER;
  })
  .meta({ override: { type: 'string' } });

const RequestFilterQuery = z.object({
  status: StatusRange.optional(),
  path: singleLineText(2_000, 1).optional().meta({ description: 'Path pattern; * matches any text.' }),
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']).optional(),
  all: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .default(false)
    .meta({ description: 'Includes the GET requests of svc’s own commands.', override: { type: 'boolean' } }),
});

export const requestLogEndpoints = {
  'requests.list': {
    ...controlRoutes['requests.list'],
    summary: 'List requests to the service, newest first',
    keyKinds: WITHOUT_WORKSPACE,
    query: RequestFilterQuery.extend({
      limit: z
        .string()
        .regex(/^\d{1,4}$/, 'must be a whole number')
        .transform(Number)
        .pipe(z.int().min(1).max(LOGGED_REQUESTS_MAX))
        .default(LOGGED_REQUESTS_DEFAULT)
        .meta({
          override: { type: 'integer', minimum: 1, maximum: LOGGED_REQUESTS_MAX, default: LOGGED_REQUESTS_DEFAULT },
        }),
    }),
    response: z.object({ requests: z.array(LoggedRequest) }),
    status: 200,
    errors: ['bad_request'],
  },
  'requests.stream': {
    ...controlRoutes['requests.stream'],
    summary: 'Stream requests to the service as server-sent events',
    keyKinds: WITHOUT_WORKSPACE,
    description: 'The ID of each server-sent event is the request’s sequence number.',
    query: RequestFilterQuery.extend({
      after: integerParameter(0).optional().meta({
        description: 'Sequence number; requests after it are sent first. Default: only new requests.',
      }),
    }),
    media: 'text/event-stream',
    status: 200,
    errors: ['bad_request'],
  },
} as const satisfies Contract;
