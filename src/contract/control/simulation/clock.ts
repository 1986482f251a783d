import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { DateTime, Duration, Timestamp } from '../../fields.js';
import { ADMIN } from '../../vocabulary/access.js';
import { controlRoutes } from '../../vocabulary/routes.js';

/** Defines the control API's endpoints for the service's clock. */

export const ClockState = z.object({
  now: Timestamp,
  frozen: z.boolean(),
  offset_ms: z.int().meta({ description: 'Milliseconds by which the service’s clock is ahead of the system time.' }),
});
export type ClockState = z.infer<typeof ClockState>;

const TimeTravel = ClockState.extend({
  ran: z.record(z.string(), z.int().min(1)).meta({ description: 'Number of jobs that ran, by kind.' }),
  cut_short: z.int().min(0).meta({
    description: 'Number of webhook attempts that ended as timed out, because the new time had passed their limit.',
  }),
});
export type TimeTravel = z.infer<typeof TimeTravel>;

export const clockEndpoints = {
  'clock.get': {
    ...controlRoutes['clock.get'],
    summary: 'Show the service’s clock',
    response: ClockState,
    status: 200,
  },
  'clock.advance': {
    ...controlRoutes['clock.advance'],
    summary: 'Advance the service’s clock',
    keyKinds: ADMIN,
    audited: ['by'],
    description:
      'Runs all jobs that fall due in that span, in order, and responds when they have finished. It waits for webhook ' +
      'attempts up to a limit. A clock that is not frozen also gains the time that this takes.',
    body: z.object({
      by: Duration,
      wait: Duration.optional().meta({ description: 'Time to wait for webhook attempts in all (default: 10s).' }),
    }),
    response: TimeTravel,
    status: 200,
    errors: ['bad_request', 'invalid', 'forbidden'],
  },
  'clock.update': {
    ...controlRoutes['clock.update'],
    summary: 'Set, freeze, resume or reset the service’s clock',
    keyKinds: ADMIN,
    audited: ['now', 'frozen', 'offset_ms'],
    description: 'Moving forward runs all jobs that fall due in between.',
    body: z
      .object({
        now: DateTime.optional(),
        frozen: z.boolean().optional(),
        offset_ms: z.literal(0).optional().meta({
          description: 'Resets the clock to the system time and unfreezes it; cannot be combined with other fields.',
        }),
      })
      .refine(
        ({ now, frozen, offset_ms }) => (now === undefined && frozen === undefined) !== (offset_ms === undefined),
        'must contain now, frozen or both, or only offset_ms',
      ),
    response: TimeTravel,
    status: 200,
    errors: ['bad_request', 'invalid', 'forbidden'],
  },
} as const satisfies Contract;
