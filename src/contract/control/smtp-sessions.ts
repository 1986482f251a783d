import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { integerParameter, prefixedId, Timestamp } from '../fields.js';
import { WITHOUT_WORKSPACE } from '../vocabulary/key-kinds.js';
import { LOGGED_REQUESTS_DEFAULT, LOGGED_REQUESTS_MAX } from '../vocabulary/limits.js';
import { controlRoutes } from '../vocabulary/routes.js';
import { lineSenders, smtpEndings, transactionStates } from '../vocabulary/smtp-sessions.js';

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
