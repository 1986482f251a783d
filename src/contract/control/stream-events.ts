import { z } from 'zod';
import type { Contract } from '../endpoint.js';
import { integerParameter } from '../fields.js';
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
    }),
    media: 'text/event-stream',
    status: 200,
    errors: ['bad_request'],
  },
} as const satisfies Contract;
