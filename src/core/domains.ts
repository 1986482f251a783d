import type { DnsRecord, Domain } from '../contract/domain.js';
import { ServiceError } from '../contract/errors.js';
import { type Handler, timestamp } from './context.js';
import { recordEvent } from './event-log.js';
import type { DomainRecord } from './model.js';
import type { Reads } from './ports.js';

/** Specification: Domain; decision 17. */

const VERIFICATION_LABEL = '_svc-verification';
const SPF_INCLUDE = '_spf.svc-mail.example';
const VERIFICATION_CHARACTERS = 32;

/** The records to publish. What each name and value looks like is the specification's; RFC 7208 and RFC 6376. */
export function dnsRecordsOf(record: DomainRecord): DnsRecord[] {
  const { domain } = record;
  return [
    { type: 'TXT', name: `${VERIFICATION_LABEL}.${domain}`, value: record.verificationToken, purpose: 'verification' },
    { type: 'TXT', name: domain, value: `v=spf1 include:${SPF_INCLUDE} ~all`, purpose: 'spf' },
    {
      type: 'TXT',
      name: `${record.dkimSelector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${record.dkimPublicKey}`,
      purpose: 'dkim',
    },
  ];
}

export const listDomains: Handler<'domains.list'> = async (_, { store }) => ({
  domains: (await store.read.domains.list()).map(present),
});

export const createDomain: Handler<'domains.create'> = async ({ body: { domain } }, context) => {
  const { privateKey, publicKey } = await context.makeDkimKey();
  return context.store.write(async (tx) => {
    const record: DomainRecord = {
      domain,
      status: 'pending',
      dkimVerified: false,
      spfVerified: false,
      dmarcVerified: false,
      verificationToken: `svc-verification=${context.ids.secret(VERIFICATION_CHARACTERS)}`,
      dkimSelector: 'svc',
      dkimPrivateKey: privateKey,
      dkimPublicKey: publicKey,
      createdAt: context.clock.now(),
    };
    if (!(await tx.domains.insert(record))) {
      const message = `The domain ${domain} has been added already.`;
      throw new ServiceError('conflict', message, [{ path: 'domain', message: 'has been added already' }]);
    }
    return { domain, status: record.status, dns_records: dnsRecordsOf(record) };
  });
};

/** Looks the records up. Missing ones leave the domain pending, with the flags that hold; that is no error. */
export const verifyDomain: Handler<'domains.verify'> = async ({ params }, context) => {
  const record = await find(context.store.read, params.domain);
  const published = async (name: string, matches: (value: string) => boolean) =>
    (await context.dns.txt(name)).some(matches);
  const same = (expected: string) => (value: string) => squeeze(value) === squeeze(expected);
  const [verification, spf, dkim] = await Promise.all(
    dnsRecordsOf(record).map(({ name, value, purpose }) =>
      published(name, purpose === 'spf' ? includesProvider : same(value)),
    ),
  );
  const dmarc = await published(`_dmarc.${record.domain}`, (value) => /^v=DMARC1\s*(;|$)/.test(value));
  return context.store.write(async (tx) => {
    const before = await find(tx, record.domain);
    const verified = before.status === 'verified' || (verification && spf && dkim);
    const after: DomainRecord = {
      ...before,
      status: verified ? 'verified' : 'pending',
      spfVerified: spf === true,
      dkimVerified: dkim === true,
      dmarcVerified: dmarc,
    };
    await tx.domains.update(after);
    if (verified && before.status === 'pending') {
      const verified_at = timestamp(context.clock.now());
      await recordEvent(tx, context, 'domain.verified', { domain: after.domain, verified_at });
    }
    return present(after);
  });
};

export const getDomain: Handler<'domains.get'> = async ({ params }, { store }) =>
  present(await find(store.read, params.domain));

export const deleteDomain: Handler<'domains.delete'> = ({ params }, { store }) =>
  store.write(async (tx) => {
    const { domain } = await find(tx, params.domain);
    await tx.domains.delete(domain);
  });

/** An SPF record that a domain already has is right once it includes the provider (RFC 7208 section 5.2). */
function includesProvider(value: string): boolean {
  return /^v=spf1(\s|$)/i.test(value) && value.toLowerCase().split(/\s+/).includes(`include:${SPF_INCLUDE}`);
}

/** Resolvers and publishers differ in the blanks they keep; none of ours carries meaning. */
function squeeze(value: string): string {
  return value.replace(/\s+/g, '');
}

async function find(reads: Pick<Reads, 'domains'>, domain: string): Promise<DomainRecord> {
  const record = await reads.domains.find(domain);
  if (record) return record;
  throw new ServiceError('not_found', `There is no domain ${JSON.stringify(domain)}.`);
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
