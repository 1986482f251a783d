import type { DnsRecord } from '../../contract/service/domains.js';
import type { DomainRecord } from '../model/resources.js';

/**
 * Defines the records that a sending domain has to publish, and checks records found in DNS. Specification: Domain;
 * gap 17; RFC 7208 (SPF), RFC 6376 (DKIM), RFC 7489 (DMARC).
 */

export const VERIFICATION_LABEL = '_svc-verification';
const SPF_INCLUDE = '_spf.svc-mail.example';

/**
 * Returns the records of a domain. DNS splits values of more than 255 bytes, such as the DKIM record, into several
 * strings; clients join them (RFC 1035 section 3.3).
 */
export function dnsRecordsOf(record: DomainRecord): DnsRecord[] {
  const { domain } = record;
  return [
    { type: 'TXT', name: `${VERIFICATION_LABEL}.${domain}`, value: record.verificationToken, purpose: 'verification' },
    { type: 'TXT', name: domain, value: `v=spf1 include:${SPF_INCLUDE} ~all`, purpose: 'spf' },
    {
      type: 'TXT',
      name: dkimNameOf(record),
      value: `v=DKIM1; k=rsa; p=${record.dkimPublicKey}`,
      purpose: 'dkim',
    },
  ];
}

export function dkimNameOf({ dkimSelector, domain }: DomainRecord): string {
  return `${dkimSelector}._domainkey.${domain}`;
}

export function dmarcNameOf({ domain }: DomainRecord): string {
  return `_dmarc.${domain}`;
}

export function provesControl(values: readonly string[], { verificationToken }: DomainRecord): boolean {
  return values.some((value) => value.trim() === verificationToken);
}

/**
 * Returns whether the SPF record includes the provider before its `all`. More than one SPF record is an error (section
 * 4.5). Other mechanisms are ignored.
 */
export function includesProvider(values: readonly string[]): boolean {
  const [policy, ...more] = values.filter((value) => /^v=spf1(?: |$)/i.test(value));
  if (policy === undefined || more.length > 0) return false;
  const terms = policy.toLowerCase().split(/ +/);
  const all = terms.findIndex((term) => /^[+?~-]?all$/.test(term));
  const include = terms.findIndex((term) => term.replace(/^\+/, '') === `include:${SPF_INCLUDE}`);
  return include > 0 && (all === -1 || include < all);
}

/** Returns whether a record contains the domain's own key. Ignores whitespace within tags (section 3.6.1). */
export function hasDkimKey(values: readonly string[], { dkimPublicKey }: DomainRecord): boolean {
  return values.some((value) => {
    const tags = tagsOf(value);
    const { v = 'DKIM1', k = 'rsa', p } = tags;
    return v === 'DKIM1' && k === 'rsa' && p?.replace(/\s/g, '') === dkimPublicKey;
  });
}

/** Returns whether the domain itself has one DMARC record with a policy. Its organizational domain is not checked. */
export function hasDmarcPolicy(values: readonly string[]): boolean {
  const [policy, ...more] = values.filter((value) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(value));
  return policy !== undefined && more.length === 0 && /^(?:none|quarantine|reject)$/i.test(tagsOf(policy).p ?? '');
}

/** Parses the tags of a record such as `a=1; b=2` (RFC 6376 section 3.2). */
function tagsOf(value: string): Record<string, string | undefined> {
  return Object.fromEntries(
    value.split(';').map((tag) => {
      const equals = tag.indexOf('=');
      return [tag.slice(0, equals).trim(), tag.slice(equals + 1).trim()];
    }),
  );
}
