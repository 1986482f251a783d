import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { dateBound } from '../fields.js';
import { WITHOUT_WORKSPACE } from '../vocabulary/access.js';
import { groupings } from '../vocabulary/event-types.js';
import { routes } from '../vocabulary/routes.js';

const count = z.int().min(0);
export const Counters = z.object({
  sent: count,
  delivered: count,
  bounced: count,
  complained: count,
  opened: count,
  clicked: count,
});
export type Counters = z.infer<typeof Counters>;

/** The handler checks the year in UTC. */
const FROM_YEAR_1 = { not: { pattern: '^0000' } };

export const analyticsEndpoints = {
  'analytics.emails': {
    ...routes['analytics.emails'],
    summary: 'Count email outcomes by day, week or month',
    query: z.object({
      from_date: dateBound('first', FROM_YEAR_1).optional(),
      to_date: dateBound('last', FROM_YEAR_1).optional(),
      group_by: z.enum(groupings).default('day'),
    }),
    response: z.object({ total: Counters, by_date: z.array(Counters.extend({ date: z.iso.date() })) }),
    status: 200,
    errors: ['bad_request'],
    // Counters have no workspace.
    keyKinds: WITHOUT_WORKSPACE,
  },
} as const satisfies Contract;
