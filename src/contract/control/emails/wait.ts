import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { parsedText, textUpToBytes } from '../../fields.js';
import { NEAR_MISSES_MAX, WAIT_MAX_MS, WAIT_SINCE_DEFAULT, WAIT_TIMEOUT_MS } from '../../vocabulary/limits.js';
import { QUERY_BYTES } from '../../vocabulary/query/fields.js';
import { COUNT_MAX } from '../../vocabulary/ranges.js';
import { controlRoutes } from '../../vocabulary/routes.js';
import { readSince, SINCE_FORM } from '../../vocabulary/since.js';
import { CapturedEmail, NearMiss } from './captured-email.js';

/** Defines the control API's endpoint that waits for emails. */

const Since = parsedText(readSince, SINCE_FORM).meta({
  override: { type: 'string' },
  examples: ['start', 'now', '60s', 'c42', '2026-03-02T09:30:00Z'],
});

const Count = z.int().min(1).max(COUNT_MAX);

export const WaitRequest = z
  .object({
    query: textUpToBytes(QUERY_BYTES).meta({
      description: 'Query that the emails must match. An empty one matches every email.',
      examples: ['to:ada@example.test subject:/reset/i'],
    }),
    min: Count.optional().meta({ description: 'Number of matching emails to wait for. Default: 1.' }),
    max: Count.nullable()
      .optional()
      .meta({
        description:
          'Maximum number of matching emails; more do not match. With null, any number matches, and the newest 1,000 are ' +
          'returned. Without it, the newest `min` are returned.',
      }),
    timeout_ms: z
      .int()
      .min(1)
      .max(WAIT_MAX_MS)
      .default(WAIT_TIMEOUT_MS)
      .meta({ description: 'Milliseconds to wait, on the machine’s clock.' }),
    since: Since.prefault(WAIT_SINCE_DEFAULT).meta({
      description: `Start of the window, on the machine’s clock: ${SINCE_FORM}.`,
    }),
    absent: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to check instead that no email matches until the time-out.' }),
  })
  .superRefine(({ min, max, absent }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (absent && min !== undefined) refuse('min', 'cannot be combined with absent');
    if (absent && max !== undefined) refuse('max', 'cannot be combined with absent');
    if (typeof max === 'number' && max < (min ?? 1)) refuse('max', `must be at least min, which is ${min ?? 1}`);
  });
/** A request as a client sends it. */
export type WaitRequest = z.input<typeof WaitRequest>;

export const WaitResult = z.object({
  matched: z.boolean().meta({ description: 'Whether the wait succeeded; with `absent`, whether no email matched.' }),
  emails: z.array(CapturedEmail).meta({
    description: 'Matching emails, newest first; at most 10 if their number is not the expected one.',
  }),
  total: z
    .int()
    .min(0)
    .meta({
      description:
        'Number of matching emails. Those beyond `min` without `max`, beyond 1,000, and beyond 10 with `absent` may not be ' +
        'counted.',
    }),
  cursor: z.string().meta({
    description:
      'Position of the newest matching email, or else of the last email at the end of the wait. As `since`, it selects ' +
      'later emails.',
  }),
  near_misses: z.array(NearMiss).max(NEAR_MISSES_MAX).meta({
    description: 'After the time-out: emails that arrived and do not match, the closest first.',
  }),
});
export type WaitResult = z.infer<typeof WaitResult>;

export const waitEndpoints = {
  'emails.wait': {
    ...controlRoutes['emails.wait'],
    summary: 'Wait for emails that match a query',
    acrossWorkspaces: true,
    description:
      'Considers emails that were captured since `since`, then new ones and changes of their status as they are stored. ' +
      'Responds when enough emails match, or after `timeout_ms`. A message that was accepted before that is parsed first. ' +
      'Responds with status 503 only if the server stops during the wait.',
    body: WaitRequest,
    response: WaitResult,
    status: 200,
    errors: ['bad_request', 'invalid', 'unavailable'],
  },
} as const satisfies Contract;
