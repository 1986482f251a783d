import type { DnsRecord, Domain } from '../contract/domain.js';
import { fieldLines } from './fields.js';
import { table } from './text.js';

export function describeDomain(domain: Domain): string {
  const mark = (holds: boolean) => (holds ? 'found' : 'missing');
  return fieldLines({
    domain: domain.domain,
    status: domain.status,
    dkim: mark(domain.dkim_verified),
    spf: mark(domain.spf_verified),
    dmarc: mark(domain.dmarc_verified),
    created: domain.created_at,
  });
}

export function dnsRecordTable(records: readonly DnsRecord[]): string {
  return table(
    ['PURPOSE', 'TYPE', 'NAME', 'VALUE'],
    records.map(({ purpose, type, name, value }) => [purpose, type, name, value]),
  );
}
