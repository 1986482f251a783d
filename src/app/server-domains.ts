import type { Core } from '../core/context.js';
import type { DomainRecord } from '../core/model/resources.js';
import { newDomain } from '../core/resources/domains.js';
import type { SimulatedDns } from '../core/resources/simulated-dns.js';
import type { Transaction } from '../core/transaction.js';

/**
 * Returns a function that adds, publishes and verifies the domains that the local server was started with. Records no
 * events, because no API call does this.
 */
export async function serverDomainsEnsurer(
  core: Core,
  dns: SimulatedDns | null,
  names: readonly string[],
): Promise<(tx: Transaction) => Promise<void>> {
  // A transaction cannot wait for keys, and a reset needs the domains again.
  const domains: DomainRecord[] = [];
  for (const name of names) domains.push((await core.store.read.domains.find(name)) ?? (await newDomain(name, core)));
  return async (tx) => {
    for (const domain of domains) {
      const flags = { status: 'verified', dkimVerified: true, spfVerified: true, dmarcVerified: true } as const;
      const existing = await tx.domains.find(domain.domain);
      if (existing) await tx.domains.update({ ...existing, ...flags });
      else await tx.domains.insert({ ...domain, ...flags });
      await dns?.publishAll(tx, domain.domain);
    }
  };
}
