import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { integerParameter, textUpToBytes } from '../fields.js';
import { QUERY_BYTES } from '../vocabulary/query/fields.js';
import { controlRoutes } from '../vocabulary/routes.js';
import { EventTypeList } from '../webhook-events.js';

/** Defines the control API's event stream. */

export const eventStreamEndpoints = {
  'events.stream': {
    ...controlRoutes['events.stream'],
    summary: 'Stream events as server-sent events',
    description: 'The ID of each server-sent event is the event’s sequence number.',
    query: z.object({
      after: integerParameter(0).optional(),
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
    errors: ['bad_request'],
  },
} as const satisfies Contract;
