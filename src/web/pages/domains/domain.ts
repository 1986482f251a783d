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

export type RecordState = 'found' | 'missing' | 'different' | 'unknown';

/** Compares what the DNS has with a record. A different value may be valid as well: the verification decides. */
export function stateOf({ value, found }: DnsRecord): RecordState {
  if (!found) return 'unknown';
  if (found.some((each) => each.trim() === value)) return 'found';
  return found.length > 0 ? 'different' : 'missing';
}

/** Describes the result of a verification. @param records the domain's records after it, looked up in the DNS */
export function verificationText(domain: Domain, records: readonly DnsRecord[]): string {
  const missing = records.filter((record) => isMissing(domain, record)).map(({ purpose }) => purposes[purpose].label);
  const isVerified = domain.status === 'verified';
  if (missing.length === 0) return isVerified ? 'Verified: all required records exist.' : 'Not verified.';
  const list = new Intl.ListFormat('en').format(missing);
  const text = `the ${list} ${missing.length === 1 ? 'record is' : 'records are'} missing or wrong`;
  return isVerified ? `Verified before, but ${text}.` : `Not verified: ${text}.`;
}

function isMissing(domain: Domain, record: DnsRecord): boolean {
  if (record.purpose === 'dmarc') return false;
  const known = flags.find(({ purpose }) => purpose === record.purpose);
  return known ? !domain[known.flag] : ['missing', 'different'].includes(stateOf(record));
}
