import { domainOf } from '../../../contract/vocabulary/parsers/address.js';
import type { Email } from '../../model/emails.js';
import type { ReceivedEnvelope } from '../../model/received.js';
import type { DomainRecord } from '../../model/resources.js';
import type { ContentChecks } from '../../ports.js';

/** Checks whether receivers can authenticate an email: RFC 7489, section 3.1. */

type Finding = ContentChecks['findings'][number];

export interface Authentication {
  email: Email;
  /** The SMTP envelope; undefined for an email from REST. */
  envelope: Pick<ReceivedEnvelope, 'mailFrom'> | undefined;
  headers: readonly (readonly [name: string, value: string])[];
  /** The sending domain; undefined if it has not been added. */
  domain: DomainRecord | undefined;
}

export function checkAuthentication(input: Authentication): Finding[] {
  const from = domainOf(input.email.fromMailbox);
  if (from === '') {
    const details = 'The email has no sender with a domain.';
    return [finding('sending-domain', false, details), ...OTHERS.map((id) => finding(id, null, details))];
  }
  const path = returnPath(input, from);
  const dkim = dkimFinding(input, from);
  return [sendingDomain(input, from), path, dkim, dmarc(input, from, [path, dkim])];
}

const OTHERS = ['return-path', 'dkim', 'dmarc'];

function finding(id: string, passed: boolean | null, details: string): Finding {
  return { id, passed, details, count: 0, where: [] };
}

function sendingDomain({ domain }: Authentication, from: string): Finding {
  if (domain?.status === 'verified') return finding('sending-domain', true, `Domain ${from} is verified.`);
  const problem = domain
    ? `is not verified. To verify it, run "svc domains verify ${from}"`
    : `has not been added. To add it, run "svc domains add ${from}"`;
  return finding('sending-domain', false, `Domain ${from} ${problem}.`);
}

function returnPath({ envelope, domain }: Authentication, from: string): Finding {
  if (!envelope) {
    if (!domain) return notAdded('return-path', from);
    const details = `The service sends with a Return-Path at ${from}; its SPF record`;
    if (domain.spfVerified) return finding('return-path', true, `${details} includes the service.`);
    return finding('return-path', false, `${details} was not found. ${verify(from)}`);
  }
  const path = domainOf(envelope.mailFrom);
  if (path === '') return finding('return-path', false, 'The Return-Path is empty, as in an error report.');
  const both = `Return-Path is at ${path}, From is at ${from}`;
  return finding(
    'return-path',
    isAligned(path, from),
    `${both}: ${isAligned(path, from) ? 'aligned' : 'not aligned'}.`,
  );
}

function dkimFinding({ headers, domain }: Authentication, from: string): Finding {
  const signers = signingDomains(headers);
  const own = signers.find((each) => isAligned(each, from));
  if (own !== undefined)
    return finding('dkim', true, `The message is signed by ${own}, which is aligned with ${from}.`);
  if (domain?.dkimVerified) return finding('dkim', true, `The service signs for ${from}, and the key is in the DNS.`);
  if (domain) return finding('dkim', false, `The key of ${from} was not found in the DNS. ${verify(from)}`);
  if (signers.length === 0) return notAdded('dkim', from);
  return finding('dkim', false, `The message is signed by ${signers.join(', ')}, which is not aligned with ${from}.`);
}

function dmarc({ domain }: Authentication, from: string, parts: readonly Finding[]): Finding {
  if (!domain) return notAdded('dmarc', from);
  if (!domain.dmarcVerified) return finding('dmarc', false, `No policy was found at _dmarc.${from}. ${verify(from)}`);
  const aligned = parts.filter(({ passed }) => passed).map(({ id }) => (id === 'dkim' ? 'DKIM' : 'SPF'));
  if (aligned.length === 0)
    return finding('dmarc', false, `Domain ${from} has a policy, but neither SPF nor DKIM is aligned.`);
  return finding('dmarc', true, `Domain ${from} has a policy, and ${aligned.join(' and ')} can pass.`);
}

function notAdded(id: string, from: string): Finding {
  return finding(id, null, `Not checked, because domain ${from} has not been added.`);
}

function verify(from: string): string {
  return `Publish it, then run "svc domains verify ${from}".`;
}

/** Returns the domains of DKIM signatures (RFC 6376, section 3.5). */
function signingDomains(headers: Authentication['headers']): string[] {
  return headers.flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'dkim-signature') return [];
    const [, domain] = /(?:^|;)\s{0,9}d\s{0,9}=\s{0,9}([^;\s]{1,255})/.exec(value) ?? [];
    return domain === undefined ? [] : [domain.toLowerCase()];
  });
}

/** Two labels below which anyone can register a domain, such as co.uk. */
const PUBLIC_SUFFIX = /^(?:ac|co|com|edu|go|gob|gov|gv|ne|net|or|org)\.[a-z]{2}$/;

/**
 * Returns whether two domains belong to one organization, as in relaxed alignment. The usual public suffixes count; the
 * whole list is not used.
 */
function isAligned(a: string, b: string): boolean {
  return organizationOf(a) === organizationOf(b);
}

function organizationOf(domain: string): string {
  const labels = domain.toLowerCase().split('.');
  const two = labels.slice(-2).join('.');
  return labels.slice(PUBLIC_SUFFIX.test(two) ? -3 : -2).join('.');
}
