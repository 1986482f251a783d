import type { Domain } from '../../../contract/service/domains.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { shortened } from '../../../contract/vocabulary/text.js';
import {
  dkimNameOf,
  dmarcNameOf,
  dnsRecordsOf,
  hasDkimKey,
  hasDmarcPolicy,
  includesProvider,
  provesControl,
  VERIFICATION_LABEL,
} from '../../account/dns-records.js';
import { type Core, type Handler, type ServiceHandlers, timestamp } from '../../context.js';
import { recordEvent } from '../../mail/event-log.js';
import type { DomainRecord } from '../../model/resources.js';
import type { Dns } from '../../ports.js';
import type { Reads } from '../../reads.js';

/** Implements the endpoints for domains. Specification: Domain; gap 17. */

const VERIFICATION_CHARACTERS = 32;

const listDomains: Handler<'domains.list'> = async (_, { store }) => ({
  domains: (await store.read.domains.list()).map(present),
});

const createDomain: Handler<'domains.create'> = async ({ body: { domain } }, context) => {
  // Also checked before creating a key pair, which takes most of a second.
  if (await context.store.read.domains.find(domain)) throw taken(domain);
  const record = await newDomain(domain, context);
  return context.store.write(async (tx) => {
    if (!(await tx.domains.insert(record))) throw taken(domain);
    return { domain, status: record.status, dns_records: dnsRecordsOf(record) };
  });
};

/** Returns a domain that is not verified, with a DKIM key of its own. */
export async function newDomain(
  domain: string,
  { makeDkimKey, ids, clock }: Pick<Core, 'makeDkimKey' | 'ids' | 'clock'>,
): Promise<DomainRecord> {
  const { privateKey, publicKey } = await makeDkimKey();
  return {
    domain,
    status: 'pending',
    dkimVerified: false,
    spfVerified: false,
    dmarcVerified: false,
    verificationToken: `svc-verification=${ids.secret(VERIFICATION_CHARACTERS)}`,
    dkimSelector: 'svc',
    dkimPrivateKey: privateKey,
    dkimPublicKey: publicKey,
    createdAt: clock.now(),
  };
}

/**
 * Looks up the records of a domain. A missing record is not an error: it leaves the domain pending and sets the flags
 * of the others. A verified domain stays verified, and its flags follow the result. If the DNS fails, nothing changes.
 */
const verifyDomain: Handler<'domains.verify'> = async ({ params }, context) => {
  const record = await find(context.store.read, params.domain);
  const found = await lookUp(record, context.dns);
  return context.store.write(async (tx) => {
    const before = await find(tx, record.domain);
    // The domain was removed and added again meanwhile, so the result does not apply to it.
    if (before.verificationToken !== record.verificationToken) return present(before);
    const { controlled, ...flags } = found;
    const complete = controlled && flags.spfVerified && flags.dkimVerified;
    const after: DomainRecord = { ...before, ...flags, status: complete ? 'verified' : before.status };
    await tx.domains.update(after);
    if (after.status !== before.status) {
      const verified_at = timestamp(context.clock.now());
      await recordEvent(tx, context, 'domain.verified', { domain: after.domain, verified_at });
    }
    return present(after);
  });
};

async function lookUp(record: DomainRecord, dns: Dns) {
  const [verification, spf, dkim, dmarc] = await Promise.all([
    dns.txt(`${VERIFICATION_LABEL}.${record.domain}`),
    dns.txt(record.domain),
    dns.txt(dkimNameOf(record)),
    dns.txt(dmarcNameOf(record)),
  ]);
  return {
    controlled: provesControl(verification, record),
    spfVerified: includesProvider(spf),
    dkimVerified: hasDkimKey(dkim, record),
    dmarcVerified: hasDmarcPolicy(dmarc),
  };
}

const getDomain: Handler<'domains.get'> = async ({ params }, { store }) =>
  present(await find(store.read, params.domain));

const deleteDomain: Handler<'domains.delete'> = ({ params }, { store }) =>
  store.write(async (tx) => {
    const { domain } = await find(tx, params.domain);
    await tx.domains.delete(domain);
  });

function taken(domain: string): ServiceError {
  const message = `Domain ${domain} already exists.`;
  const details = [{ path: 'domain', message: 'already exists' }];
  return new ServiceError('conflict', message, details, 'Publish its DNS records, then verify it.');
}

async function find(reads: Pick<Reads, 'domains'>, domain: string): Promise<DomainRecord> {
  const record = await reads.domains.find(domain);
  if (record) return record;
  throw unknownDomain(domain);
}

export function unknownDomain(domain: string): ServiceError {
  return new ServiceError('not_found', `Domain ${JSON.stringify(shortened(domain))} not found.`);
}

function present(record: DomainRecord): Domain {
  return {
    domain: record.domain,
    status: record.status,
    dkim_verified: record.dkimVerified,
    spf_verified: record.spfVerified,
    dmarc_verified: record.dmarcVerified,
    created_at: timestamp(record.createdAt),
  };
}

export const domainHandlers = {
  'domains.list': listDomains,
  'domains.create': createDomain,
  'domains.verify': verifyDomain,
  'domains.get': getDomain,
  'domains.delete': deleteDomain,
} satisfies Partial<ServiceHandlers>;
