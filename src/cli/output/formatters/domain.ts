import type { DnsRecord, Domain } from '../../../contract/service/domains.js';
import type { Printable } from '../color.js';
import { fieldLines } from '../fields.js';
import { localTime } from '../local-time.js';
import { type Column, stdoutView, table } from '../table.js';

export function describeDomain(domain: Domain): Printable {
  // Another service may not say it.
  const mark = (holds: boolean | undefined) => (holds ? 'found' : holds === false ? 'missing' : undefined);
  return fieldLines({
    domain: domain.domain,
    status: domain.status,
    dkim: mark(domain.dkim_verified),
    spf: mark(domain.spf_verified),
    dmarc: mark(domain.dmarc_verified),
    created: localTime(domain.created_at),
  });
}

/**
 * Describes the optional DMARC record. Verification checks it but does not require it, so it is not in the table of
 * records.
 */
export function dmarcAdvice({ domain }: Pick<Domain, 'domain'>): string {
  return `Optional DMARC record: TXT _dmarc.${domain} "v=DMARC1; p=none"`;
}

const RECORD_COLUMNS: Column[] = [
  { title: 'PURPOSE', rank: 3 },
  { title: 'TYPE', rank: 4 },
  { title: 'NAME', rank: 1 },
  { title: 'VALUE', rank: 2 },
];

export function dnsRecordTable(records: readonly DnsRecord[]): Printable {
  return table(
    RECORD_COLUMNS,
    records.map(({ purpose, type, name, value }) => [purpose, type, name, value]),
    // Not shortened to the terminal's width, because users copy the records.
    { ...stdoutView(), width: null },
  );
}
