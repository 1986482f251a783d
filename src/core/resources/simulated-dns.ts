import type { PublishedRecord } from '../../contract/control/simulation/dns-records.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { shortened } from '../../contract/vocabulary/helpers/shorten.js';
import type { DomainRecord } from '../model/resources.js';
import type { Dns } from '../ports.js';
import type { Store } from '../store.js';
import type { Reads } from '../transaction.js';
import { dmarcNameOf, dnsRecordsOf } from './dns-records.js';

/**
 * Simulates a DNS that contains every record of every domain, except removed ones. Gap 17. Removed records are
 * stored with their domain's token, so that a domain that is deleted and added again starts with all of its records.
 */

export type SimulatedRecord = PublishedRecord & { published: boolean };

export interface SimulatedDns extends Dns {
  /**
   * Publishes or removes a record and returns its state.
   * @throws ServiceError `not_found` if no domain has a record with this name.
   */
  setPublished(name: string, published: boolean): Promise<SimulatedRecord>;
}

export const UNPUBLISHED_SETTING = 'dns.unpublished';

export function createSimulatedDns(store: Pick<Store, 'read' | 'write'>): SimulatedDns {
  return {
    async txt(name) {
      const found = await recordsIn(store.read);
      return found.filter((record) => record.published && record.name === name).map(({ value }) => value);
    },
    setPublished: (name, published) =>
      store.write(async (tx) => {
        const records = await recordsIn(tx);
        const record = records.find((one) => one.name === name.toLowerCase());
        if (!record) throw unknownRecord(name);
        record.published = published;
        const tokens = new Map((await tx.domains.list()).map((domain) => [domain.domain, domain.verificationToken]));
        const out = records.filter((one) => !one.published).map((one) => [one.name, tokens.get(one.domain)]);
        await tx.settings.set(UNPUBLISHED_SETTING, JSON.stringify(Object.fromEntries(out)));
        return record;
      }),
  };
}

/** Returns the records of every domain, and whether each is published. */
export async function recordsIn(reads: Pick<Reads, 'domains' | 'settings'>): Promise<SimulatedRecord[]> {
  const unpublished = (await reads.settings.get(UNPUBLISHED_SETTING, readUnpublished)) ?? {};
  return (await reads.domains.list()).flatMap((domain) =>
    recordsOf(domain).map((record) => ({
      ...record,
      domain: domain.domain,
      published: unpublished[record.name] !== domain.verificationToken,
    })),
  );
}

/** Parses the setting with the removed records: the token of each record's domain, by the record's name. */
export function readUnpublished(value: string): Record<string, string> | undefined {
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
