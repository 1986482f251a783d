import { domainOf } from '../../contract/vocabulary/addresses.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';
import type { CallContext, Core } from '../context.js';
import type { Reads } from '../reads.js';

/** Checks the domain that an email is sent from. Gaps 18 and 40. */

/** Maximum number of unverified domains to remember. Others are announced each time. */
const ANNOUNCED_DOMAINS_MAX = 10_000;

type Domains = Pick<Reads['domains'], 'find'>;

/**
 * Rejects a sender at an unverified domain if the key is live, else announces each such domain once. Returns the domain
 * if it was announced now. The caller remembers it when the request has succeeded.
 */
export async function checkSendingDomain(mailbox: string, context: CallContext): Promise<string | undefined> {
  const { key, store, warn } = context;
  if (key.environment === 'test') {
    const found = await unannouncedDomain(mailbox, context.announcedDomains, store.read.domains);
    if (found) warn(found);
    return found && domainOf(mailbox);
  }
  const found = await unverifiedDomain(mailbox, store.read.domains);
  if (!found) return undefined;
  const { path, message } = found;
  throw new ServiceError('domain_not_verified', `${message[0]?.toUpperCase()}${message.slice(1)}.`, [
    { path, message },
  ]);
}

/** Returns the finding about a sender at an unverified domain, unless the domain was announced. */
export async function unannouncedDomain(
  mailbox: string,
  announced: Pick<ReadonlySet<string>, 'has'>,
  domains: Domains,
): Promise<ServiceWarning | undefined> {
  return announced.has(domainOf(mailbox)) ? undefined : unverifiedDomain(mailbox, domains);
}

/** Remembers that a domain was announced. A strict server refuses the next request too, so it remembers none. */
export function rememberDomain(
  domain: string,
  { announcedDomains, strict }: Pick<Core, 'announcedDomains' | 'strict'>,
): void {
  if (!strict && announcedDomains.size < ANNOUNCED_DOMAINS_MAX) announcedDomains.add(domain);
}

/** Returns the finding about a sender at an unverified domain; undefined for a verified one. */
export async function unverifiedDomain(mailbox: string, domains: Domains): Promise<ServiceWarning | undefined> {
  const domain = domainOf(mailbox);
  const record = await domains.find(domain);
  if (record?.status === 'verified') return undefined;
  const why = record ? 'is not verified' : 'has not been added';
  return { code: 'unverified_domain', path: 'from', message: `sending domain ${domain} ${why}` };
}
