import { ServiceError } from '../../contract/vocabulary/errors.js';
import { domainOf } from '../../contract/vocabulary/parsers/address.js';
import type { CallContext } from '../context.js';

/** Checks the domain that an email is sent from. */

/** Maximum number of unverified domains to remember. Others are announced each time. */
const ANNOUNCED_DOMAINS_MAX = 10_000;

/** Rejects a sender at an unverified domain if the key is live, else announces each such domain once. Gaps 18 and 40. */
export async function checkSendingDomain(
  mailbox: string,
  { key, store, announcedDomains, warn }: CallContext,
): Promise<void> {
  const domain = domainOf(mailbox);
  if (key.environment === 'test' && announcedDomains.has(domain)) return;
  const record = await store.read.domains.find(domain);
  if (record?.status === 'verified') return;
  const why = record ? 'is not verified' : 'has not been added';
  if (key.environment === 'test') {
    warn({ code: 'unverified_domain', path: 'from', message: `sending domain ${domain} ${why}` });
    if (announcedDomains.size < ANNOUNCED_DOMAINS_MAX) announcedDomains.add(domain);
    return;
  }
  throw new ServiceError('domain_not_verified', `Sending domain ${domain} ${why}.`, [
    { path: 'from', message: `domain ${domain} ${why}` },
  ]);
}
