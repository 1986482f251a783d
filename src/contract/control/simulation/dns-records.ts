import * as z from 'zod';
import type { Contract } from '../../endpoint.js';
import { WITHOUT_WORKSPACE } from '../../vocabulary/access.js';
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
    query: z.object({
      look_up: z
        .string()
        .transform((name) => name.toLowerCase())
        .optional()
        .meta({
          override: { type: 'string' },
          description: 'Domain name. Lists only the records of this domain, and looks them up in the DNS.',
        }),
    }),
    response: z.object({
      dns: z.enum(['simulated', 'real']),
      records: z.array(
        PublishedRecord.extend({
          found: z.array(z.string()).nullable().optional().meta({
            description: 'With look_up: all TXT values of this name in the DNS; null if the DNS did not answer.',
          }),
        }),
      ),
    }),
    status: 200,
    errors: ['bad_request', 'not_found'],
  },
  'dns.update': {
    ...controlRoutes['dns.update'],
    summary: 'Publish or unpublish a record in the simulated DNS',
    keyKinds: WITHOUT_WORKSPACE,
    params: z.object({ name: z.string().meta({ description: 'Name of the DNS record.' }) }),
    body: z.object({ published: z.boolean() }),
    response: PublishedRecord,
    status: 200,
    audited: ['published'],
    errors: ['bad_request', 'invalid', 'not_found', 'conflict'],
  },
} as const satisfies Contract;
