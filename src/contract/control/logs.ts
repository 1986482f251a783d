import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import {
  integerParameter,
  PageQuery,
  Pagination,
  parsedText,
  prefixedId,
  singleLineText,
  Timestamp,
} from '../fields.js';
import { ADMIN, actorKinds, SIGN_IN, WITHOUT_WORKSPACE } from '../vocabulary/access.js';
import { LOGGED_DETAILS_MAX, LOGGED_REQUESTS_DEFAULT, LOGGED_REQUESTS_MAX } from '../vocabulary/limits.js';
import { readStatusRange, STATUS_RANGE_FORM } from '../vocabulary/ranges.js';
import { controlRoutes } from '../vocabulary/routes.js';
import { lineSenders, smtpEndings, transactionStates } from '../vocabulary/smtp.js';
import { WarningRecord } from './warning-report.js';

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
const StatusRange = parsedText(readStatusRange, STATUS_RANGE_FORM).meta({ override: { type: 'string' } });

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

/** Defines the control API's endpoints for the log of SMTP sessions. */

const SmtpTransaction = z.object({
  mail_from: z.string(),
  rcpt_to: z.array(z.string()).meta({ description: 'The first accepted recipients, at most 10.' }),
  rcpt_count: z.int().min(0).meta({ description: 'Number of accepted recipients.' }),
  bytes: z.int().min(0).meta({ description: 'Size of the received content in bytes.' }),
  state: z.enum(transactionStates).meta({
    description:
      '`abandoned`: the client ended it before the message. `broken`: the connection ended before the message was complete.',
  }),
  email_id: prefixedId('msg').nullable(),
  reply: z.string().nullable().meta({ description: 'The reply that refused the transaction.' }),
  received: z
    .string()
    .nullable()
    .meta({ description: 'The first 8 KiB of a message that was not accepted, as UTF-8; null for others.' }),
});

export const SmtpSession = z.object({
  seq: z.int().nullable().meta({ description: 'Number in the order in which sessions ended; null while it is open.' }),
  id: prefixedId('smtp'),
  created_at: Timestamp,
  captured_at: Timestamp.meta({ description: 'The same instant on the machine’s clock.' }),
  ms: z.int().min(0).nullable().meta({ description: 'Duration in milliseconds; null while it is open.' }),
  client: z.object({ address: z.string(), port: z.int().min(0) }),
  helo: z.string().nullable().meta({ description: 'Name of the client in EHLO, HELO or LHLO.' }),
  tls: z.object({ version: z.string(), cipher: z.string() }).nullable(),
  auth: z
    .object({ mechanism: z.string(), username: z.string().nullable(), accepted: z.boolean() })
    .nullable()
    .meta({ description: 'The last login.' }),
  ending: z.enum(smtpEndings).nullable().meta({ description: 'Why the session ended; null while it is open.' }),
  failed: z.boolean().meta({ description: 'Whether a command was refused, or a transaction broken.' }),
  error: z.string().nullable().meta({ description: 'The first refusing reply, or why a transaction was broken.' }),
  accepted: z.int().min(0).meta({ description: 'Number of stored messages.' }),
  transactions: z.array(SmtpTransaction).meta({ description: 'The first and last transactions, at most 25 of each.' }),
  omitted_transactions: z.int().min(0),
});
export type SmtpSession = z.infer<typeof SmtpSession>;

export const SmtpSessionDetails = SmtpSession.extend({
  transcript: z
    .array(z.object({ ms: z.int().min(0), from: z.enum(lineSenders), text: z.string() }))
    .meta({ description: 'Commands and replies with milliseconds since the start. Credentials are masked.' }),
});
export type SmtpSessionDetails = z.infer<typeof SmtpSessionDetails>;

const SessionFilterQuery = z.object({
  failed: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .default(false)
    .meta({ description: 'Only sessions with a failure.', override: { type: 'boolean' } }),
});

export const smtpSessionEndpoints = {
  'smtp-sessions.list': {
    ...controlRoutes['smtp-sessions.list'],
    summary: 'List SMTP sessions, newest first',
    keyKinds: WITHOUT_WORKSPACE,
    description: 'Open sessions come first.',
    query: SessionFilterQuery.extend({
      limit: integerParameter(1, LOGGED_REQUESTS_MAX).default(LOGGED_REQUESTS_DEFAULT),
    }),
    response: z.object({ sessions: z.array(SmtpSession) }),
    status: 200,
    errors: ['bad_request', 'forbidden'],
  },
  'smtp-sessions.stream': {
    ...controlRoutes['smtp-sessions.stream'],
    summary: 'Stream SMTP sessions as server-sent events when they end',
    keyKinds: WITHOUT_WORKSPACE,
    description: 'The ID of each server-sent event is the session’s sequence number.',
    query: SessionFilterQuery.extend({
      after: integerParameter(0).optional().meta({
        description: 'Sequence number; sessions after it are sent first. Default: only new sessions.',
      }),
    }),
    media: 'text/event-stream',
    status: 200,
    errors: ['bad_request', 'forbidden'],
  },
  'smtp-sessions.get': {
    ...controlRoutes['smtp-sessions.get'],
    summary: 'Retrieve an SMTP session with its commands and replies',
    keyKinds: WITHOUT_WORKSPACE,
    params: z.object({ id: z.string() }),
    response: SmtpSessionDetails,
    status: 200,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Contract;

/** Defines the control API's endpoint for the audit log. */

export const AuditEntry = z.object({
  seq: z.int(),
  created_at: Timestamp.meta({ description: 'System time, regardless of the service’s clock.' }),
  actor: z.object({
    kind: z.enum(actorKinds).meta({
      description:
        '`person`: whom a proxy has signed in. `key`: an API key. `password`: the inbox password. `local`: the server’s own process.',
    }),
    name: z.string().nullable().meta({ description: 'The person, or the name of the key.' }),
    key_id: prefixedId('key').nullable(),
    owner: z.string().nullable().meta({ description: 'The owner of the key.' }),
  }),
  action: z
    .string()
    .meta({ description: `The operation, as in the API reference, or \`${SIGN_IN}\`.`, examples: ['api-keys.revoke'] }),
  target: z.string().nullable().meta({ description: 'ID or name of what was changed; null if it has none.' }),
  details: z.record(z.string(), z.string()).meta({ description: 'Some fields of the request, shortened.' }),
  workspace: z.string().nullable().meta({ description: 'The workspace that the call was limited to.' }),
  client: z.string().nullable().meta({ description: 'Address of the client; null for the server’s own process.' }),
  request_id: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const auditEndpoints = {
  'audit.list': {
    ...controlRoutes['audit.list'],
    summary: 'List the audit log, newest first',
    description: 'Who changed what, and from where. A reset and an import keep it.',
    keyKinds: ADMIN,
    query: PageQuery,
    response: z.object({ entries: z.array(AuditEntry), pagination: Pagination }),
    status: 200,
    errors: ['bad_request', 'forbidden'],
  },
} as const satisfies Contract;
