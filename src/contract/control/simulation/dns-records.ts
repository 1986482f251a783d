import { z } from 'zod';
import type { Contract } from '../../endpoint.js';
import { controlRoutes } from '../../vocabulary/routes.js';

/** Defines the control API's endpoints for the simulated DNS. Gap 17. */

const recordPurposes = ['verification', 'spf', 'dkim', 'dmarc'] as const;

export const PublishedRecord = z.object({
  domain: z.string(),
  type: z.literal('TXT'),
  name: z.string(),
  value: z.string(),
  purpose: z.enum(recordPurposes),
  published: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether the simulated DNS publishes the record; null with real DNS.' }),
});
export type PublishedRecord = z.infer<typeof PublishedRecord>;

export const dnsEndpoints = {
  'dns.list': {
    ...controlRoutes['dns.list'],
    summary: 'List the DNS records of all domains',
    description: 'Shows which of them the simulated DNS publishes.',
    response: z.object({ dns: z.enum(['simulated', 'real']), records: z.array(PublishedRecord) }),
    status: 200,
  },
  'dns.update': {
    ...controlRoutes['dns.update'],
    summary: 'Publish or unpublish a record in the simulated DNS',
    params: z.object({ name: z.string().meta({ description: 'Name of the DNS record.' }) }),
    body: z.object({ published: z.boolean() }),
    response: PublishedRecord,
    status: 200,
    errors: ['bad_request', 'invalid', 'not_found', 'conflict'],
  },
} as const satisfies Contract;
