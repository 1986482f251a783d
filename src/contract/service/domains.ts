import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { Timestamp } from '../fields.js';
import { WITHOUT_WORKSPACE } from '../vocabulary/access.js';
import { routes } from '../vocabulary/routes.js';
import { DomainName, sendingDomain } from './domain-name.js';

export const DomainStatus = z.enum(['pending', 'verified']);
export type DomainStatus = z.infer<typeof DomainStatus>;

export const Domain = z.object({
  domain: z.string(),
  status: DomainStatus,
  dkim_verified: z.boolean(),
  spf_verified: z.boolean(),
  dmarc_verified: z.boolean(),
  created_at: Timestamp,
});
export type Domain = z.infer<typeof Domain>;

export const DnsRecord = z.object({
  type: z.literal('TXT'),
  name: z.string(),
  value: z.string(),
  purpose: z.enum(['verification', 'spf', 'dkim']),
});
export type DnsRecord = z.infer<typeof DnsRecord>;

const DomainParams = z.object({
  domain: z
    .string()
    .transform(sendingDomain)
    .meta({ override: { type: 'string' }, description: 'Domain name.' }),
});

export const domainEndpoints = {
  'domains.list': {
    ...routes['domains.list'],
    summary: 'List sending domains, newest first',
    response: z.object({ domains: z.array(Domain) }),
    status: 200,
  },
  'domains.create': {
    ...routes['domains.create'],
    summary: 'Add a sending domain',
    keyKinds: WITHOUT_WORKSPACE,
    description: 'Returns the DNS records to publish.',
    body: z.object({ domain: DomainName }),
    response: z.object({ domain: z.string(), status: DomainStatus, dns_records: z.array(DnsRecord) }),
    onlyHere: ['dns_records'],
    status: 201,
    audited: ['domain'],
    errors: ['bad_request', 'invalid', 'conflict'],
  },
  'domains.verify': {
    ...routes['domains.verify'],
    summary: 'Verify a domain’s DNS records',
    keyKinds: WITHOUT_WORKSPACE,
    params: DomainParams,
    response: Domain,
    status: 200,
    audited: [],
    errors: ['not_found', 'upstream'],
    emits: ['domain.verified'],
  },
  'domains.get': {
    ...routes['domains.get'],
    summary: 'Retrieve a sending domain',
    params: DomainParams,
    response: Domain,
    status: 200,
    errors: ['not_found'],
  },
  'domains.delete': {
    ...routes['domains.delete'],
    summary: 'Delete a sending domain',
    keyKinds: WITHOUT_WORKSPACE,
    params: DomainParams,
    status: 204,
    audited: [],
    errors: ['not_found'],
  },
} as const satisfies Contract;
