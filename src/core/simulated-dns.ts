import { dnsRecordsOf } from './domains.js';
import type { Dns, Reads } from './ports.js';

/** A DNS in which every record that a domain was told to publish is published. Decision 17. */
export function createSimulatedDns(reads: Pick<Reads, 'domains'>): Dns {
  return {
    async txt(name) {
      const domains = await reads.domains.list();
      const published = domains.flatMap((domain) => [
        ...dnsRecordsOf(domain),
        { name: `_dmarc.${domain.domain}`, value: 'v=DMARC1; p=none' },
      ]);
      return published.filter((record) => record.name === name).map(({ value }) => value);
    },
  };
}
