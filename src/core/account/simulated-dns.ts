import type { PublishedRecord } from '../../contract/control/simulation/dns-records.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { shortened } from '../../contract/vocabulary/text.js';
import type { DomainRecord } from '../model/resources.js';
import type { Dns } from '../ports.js';
import type { Reads } from '../reads.js';
import type { Store } from '../store.js';
import type { Transaction } from '../transaction.js';
import { dmarcNameOf, dnsRecordsOf } from './dns-records.js';

/**
 * Simulates a DNS with the records of every domain. They count as published, or as missing on a strict server, until
 * someone changes that. Gap 17. Changes are stored with the domain's token, so that they do not apply to a domain that
 * is deleted and added again.
 */

type SimulatedRecord = PublishedRecord & { published: boolean };
type RecordReads = Pick<Reads, 'domains' | 'settings'>;

export interface SimulatedDns extends Dns {
  /** Returns the records of every domain. */
  records(reads: RecordReads): Promise<SimulatedRecord[]>;
  /**
   * Publishes or removes a record and returns its state.
   * @throws ServiceError `not_found` if no domain has a record with this name.
   */
  setPublished(name: string, published: boolean): Promise<SimulatedRecord>;
  /** Publishes all records of a domain. */
  publishAll(tx: Transaction, domain: string): Promise<void>;
}

export const UNPUBLISHED_SETTING = 'dns.unpublished';
export const PUBLISHED_SETTING = 'dns.published';

export function createSimulatedDns(
  store: Pick<Store, 'read' | 'write'>,
  { publishedAtFirst = true }: { publishedAtFirst?: boolean } = {},
): SimulatedDns {
  async function records(reads: RecordReads): Promise<SimulatedRecord[]> {
    const unpublished = (await reads.settings.get(UNPUBLISHED_SETTING, readRecordNames)) ?? {};
    const published = (await reads.settings.get(PUBLISHED_SETTING, readRecordNames)) ?? {};
    return (await everyRecord(reads)).map(({ token, ...record }) => ({
      ...record,
      published: publishedAtFirst ? unpublished[record.name] !== token : published[record.name] === token,
    }));
  }
  return {
    records,
    async txt(name) {
      const found = await records(store.read);
      return found.filter((record) => record.published && record.name === name).map(({ value }) => value);
    },
    setPublished: (name, published) =>
      store.write(async (tx) => {
        const record = (await records(tx)).find((one) => one.name === name.toLowerCase());
        if (!record) throw unknownRecord(name);
        await setPublished(tx, published, (one) => one.name === record.name);
        return { ...record, published };
      }),
    publishAll: (tx, domain) => setPublished(tx, true, (one) => one.domain === domain),
  };
}

type RecordOfDomain = Omit<SimulatedRecord, 'published'> & { token: string };

/** Publishes or removes records. Both settings are kept, because the next server may have the other default. */
async function setPublished(
  tx: Transaction,
  published: boolean,
  isChanged: (record: RecordOfDomain) => boolean,
): Promise<void> {
  const records = await everyRecord(tx);
  for (const setting of [UNPUBLISHED_SETTING, PUBLISHED_SETTING]) {
    const before = (await tx.settings.get(setting, readRecordNames)) ?? {};
    const adds = published === (setting === PUBLISHED_SETTING);
    const names = records.filter((record) => (isChanged(record) ? adds : before[record.name] === record.token));
    await tx.settings.set(setting, JSON.stringify(Object.fromEntries(names.map(({ name, token }) => [name, token]))));
  }
}

/** Returns the records of every domain, without their state. */
export async function everyRecord(reads: Pick<Reads, 'domains'>): Promise<RecordOfDomain[]> {
  return (await reads.domains.list()).flatMap((domain) =>
    recordsOf(domain).map((record) => ({ ...record, domain: domain.domain, token: domain.verificationToken })),
  );
}

/** Parses a setting with changed records: the token of each record's domain, by the record's name. */
export function readRecordNames(value: string): Record<string, string> | undefined {
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === 'object' && read !== null ? (read as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns a domain's records. A DMARC policy is optional in the service; it exists here so that every flag can become
 * true.
 */
function recordsOf(domain: DomainRecord): Omit<SimulatedRecord, 'domain' | 'published'>[] {
  const dmarc = { type: 'TXT', name: dmarcNameOf(domain), value: 'v=DMARC1; p=none', purpose: 'dmarc' } as const;
  return [...dnsRecordsOf(domain), dmarc];
}

function unknownRecord(name: string): ServiceError {
  const message = `DNS record ${JSON.stringify(shortened(name))} not found.`;
  return new ServiceError('not_found', message, undefined, 'Run "svc domains dns" to see the records of all domains.');
}
