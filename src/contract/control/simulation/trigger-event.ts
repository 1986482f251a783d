import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { prefixedId } from '../../fields.js';
import { controlRoutes } from '../../vocabulary/routes.js';
import { EventTypeName } from '../../webhook-events.js';

/**
 * Defines the control API's endpoint that records an event with given data, to test payloads that real mail does not
 * cause.
 */

export const triggerEndpoints = {
  'events.trigger': {
    ...controlRoutes['events.trigger'],
    summary: 'Record an event with the given data',
    description: 'Fills in missing fields with sample data, and changes nothing else.',
    body: z.object({
      type: EventTypeName,
      email_id: prefixedId('msg').optional().meta({ description: 'Email to take missing fields from.' }),
      data: z.record(z.string(), z.unknown()).optional(),
    }),
    response: z.object({ id: prefixedId('evt'), seq: z.int(), type: EventTypeName, payload: z.string() }),
    status: 201,
    errors: ['bad_request', 'invalid', 'not_found', 'forbidden'],
  },
} as const satisfies Contract;
