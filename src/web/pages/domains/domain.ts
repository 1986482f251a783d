import type { Control } from '../../../contract/control/endpoints.js';
import type { Result } from '../../../contract/endpoint.js';
import type { Service } from '../../../contract/service/endpoints.js';

export type Domain = Result<Service['domains.get']>;
export type DnsRecord = Result<Control['dns.list']>['records'][number];
export type Purpose = DnsRecord['purpose'];

export const purposes: Record<Purpose, { label: string; about: string }> = {
  verification: { label: 'Verification', about: 'Proves that the domain is yours.' },
  spf: { label: 'SPF', about: 'Allows the service to send for the domain.' },
  dkim: { label: 'DKIM', about: 'The key that verifies the signatures of emails.' },
  dmarc: { label: 'DMARC', about: 'Optional: what receivers do with unsigned email.' },
};

/** What the last verification found. */
export const flags = [
  { purpose: 'spf', flag: 'spf_verified', label: 'SPF' },
  { purpose: 'dkim', flag: 'dkim_verified', label: 'DKIM' },
  { purpose: 'dmarc', flag: 'dmarc_verified', label: 'DMARC' },
] as const satisfies { purpose: Purpose; flag: keyof Domain; label: string }[];

/**
 * Returns whether a record was found by the last verification; undefined if the service does not report it. A verified
 * domain had its verification record once.
 */
export function wasFound(domain: Domain, purpose: Purpose): boolean | undefined {
  const known = flags.find((each) => each.purpose === purpose);
  if (known) return domain[known.flag];
  if (domain.status === 'verified') return true;
  return domain.spf_verified && domain.dkim_verified ? false : undefined;
}

/** Describes the result of a verification. @param records the domain's records after it */
export function verificationText(domain: Domain, records: readonly DnsRecord[]): string {
  const missing = records
    .filter(({ purpose }) => purpose !== 'dmarc')
    .filter(({ purpose, published }) => (published ?? wasFound(domain, purpose)) === false)
    .map(({ purpose }) => purposes[purpose].label);
  if (missing.length === 0)
    return domain.status === 'verified' ? 'Verified: all required records exist.' : 'Not verified.';
  const list = new Intl.ListFormat('en').format(missing);
  const text = `the ${list} ${missing.length === 1 ? 'record is' : 'records are'} missing`;
  return domain.status === 'verified' ? `Verified before, but ${text}.` : `Not verified: ${text}.`;
}
