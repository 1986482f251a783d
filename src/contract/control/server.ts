import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { Duration, integerParameter, Timestamp, textUpToBytes } from '../fields.js';
import { ADMIN } from '../vocabulary/access.js';
import { planNames } from '../vocabulary/limits.js';
import { QUERY_BYTES } from '../vocabulary/query/fields.js';
import { controlRoutes } from '../vocabulary/routes.js';
import { EventTypeList } from '../webhook-events.js';

/** Defines the control API's endpoints for the server itself. */

export const ServerInfo = z.object({
  version: z.string(),
  pid: z.int(),
  base_url: z.string(),
  smtp: z.object({ host: z.string(), port: z.int() }).nullable(),
  data_dir: z
    .string()
    .nullable()
    .meta({ description: 'Data directory; null if the server keeps everything in memory.' }),
  plan: z.enum(planNames as [string, ...string[]]),
  retention: z
    .object({
      keep: z.int().min(1).nullable().meta({ description: 'Number of emails to keep; null for all.' }),
      max_age: z
        .string()
        .nullable()
        .meta({ description: 'Age at which emails are deleted, such as 7d, on the machine’s clock; null for none.' }),
      keep_if: z
        .string()
        .nullable()
        .meta({ description: 'Query for emails that are kept regardless of number and age; null for none.' }),
    })
    .meta({ description: 'Emails that the server keeps. It deletes older ones in the background.' }),
  webhook_secret: z.string(),
  unindexed_emails: z
    .int()
    .min(0)
    .meta({ description: 'Number of emails that wait for the index of searches. Searches find them too, but slower.' }),
  workspace: z
    .string()
    .nullable()
    .meta({ description: 'Workspace to which calls with this API key are limited; null for none.' }),
  now: Timestamp,
  last_event: z.int().min(0).meta({ description: 'Sequence number of the newest event.' }),
});
export type ServerInfo = z.infer<typeof ServerInfo>;

const Summary = z.object({
  emails: z.record(z.string(), z.int().min(0)).meta({ description: 'Number of emails by status.' }),
  unread: z.int().min(0).meta({ description: 'Number of emails that are not marked as read.' }),
  failing_webhooks: z.int().min(0).meta({ description: 'Number of active webhooks whose last attempt failed.' }),
});

/** Default time that `settle` waits. */
export const SETTLE_MS = 10_000;

export const serverEndpoints = {
  health: {
    ...controlRoutes.health,
    summary: 'Check whether the server is running; needs no API key',
    response: z.object({
      status: z.literal('ok'),
      instance: z.string(),
      control: z.boolean().meta({ description: 'Whether the rest of the control API is enabled.' }),
      now: Timestamp.meta({ description: 'Time of the service’s clock. ISO 8601, UTC.' }),
    }),
    status: 200,
    public: true,
  },
  info: {
    ...controlRoutes.info,
    summary: 'Show the server’s addresses, plan, secret and clock',
    response: ServerInfo,
    status: 200,
  },
  summary: {
    ...controlRoutes.summary,
    summary: 'Count emails by status, and webhooks that fail',
    response: Summary,
    status: 200,
  },
  settle: {
    ...controlRoutes.settle,
    summary: 'Wait until captured email is parsed, sent and reported',
    acrossWorkspaces: true,
    description:
      'Parses received messages, takes the first steps that wait for the delivery delay, and waits for webhook ' +
      'attempts that are due or under way. Retries and scheduled emails that are not due yet do not count.',
    body: z.object({ timeout: Duration.optional().meta({ description: 'Time to wait at most (default: 10s).' }) }),
    response: z.object({
      settled: z.boolean().meta({ description: 'Whether everything was done in time.' }),
    }),
    status: 200,
    errors: ['bad_request', 'invalid'],
  },
} as const satisfies Contract;

/** Defines the control API's endpoint that makes the database smaller. */

const bytes = (description: string) => z.int().min(0).meta({ description });

const CompactRequest = z
  .object({
    max_bytes: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Stop after about this number of bytes, to show progress (default: return all).' }),
    full: z.boolean().default(false).meta({
      description: 'Rewrite the whole database. All other requests wait meanwhile.',
    }),
  })
  .refine(({ full, max_bytes }) => !full || max_bytes === undefined, 'must not contain both full and max_bytes');

/** Sizes in bytes. */
const Compacted = z.object({
  size_before: bytes('Size of the database before the call.'),
  size: bytes('Size of the database now.'),
  free: bytes('Part of the size that is not used and can still be returned.'),
});

export const compactEndpoints = {
  compact: {
    ...controlRoutes.compact,
    summary: 'Compact the database',
    keyKinds: ADMIN,
    audited: ['full'],
    description:
      'Deleted emails leave unused space, which later emails take. This returns it to the disk in short transactions, so ' +
      'that other requests go on.',
    body: CompactRequest,
    response: Compacted,
    status: 200,
    errors: ['invalid', 'conflict', 'forbidden'],
  },
} as const satisfies Contract;

/** Defines the control API's event stream. */

export const eventStreamEndpoints = {
  'events.stream': {
    ...controlRoutes['events.stream'],
    summary: 'Stream events as server-sent events',
    description: 'The ID of each server-sent event is the event’s sequence number.',
    query: z.object({
      after: integerParameter(0)
        .optional()
        .meta({
          description:
            'Sends the events after this sequence number (default: only new events). 0 sends all events that are left. ' +
            'Another number fails with 410 if limits of the server have removed events after it.',
        }),
      types: EventTypeList.optional(),
      email_id: z.string().optional(),
      attempts: z
        .enum(['true', 'false'])
        .transform((value) => value === 'true')
        .optional()
        .meta({
          description: 'Also sends `attempts` with an empty object when webhook attempts have ended.',
          override: { type: 'boolean' },
        }),
      search: textUpToBytes(QUERY_BYTES)
        .optional()
        .meta({
          description: 'Query that the email of an event must match. Events without an email are left out.',
          examples: ['to:ada@example.test'],
        }),
    }),
    media: 'text/event-stream',
    status: 200,
    errors: ['bad_request', 'gone'],
  },
} as const satisfies Contract;
