import type { ReceivedEnvelope } from '../../model/received.js';
import type { DomainRecord } from '../../model/resources.js';
import type { HeaderField } from '../../model/search.js';
import type { VerifyDkim } from '../../ports.js';
import type { Store } from '../../store.js';
import { type Finding, finding, notAdded, verifyHint } from './definitions.js';

/** Checks the DKIM signatures of an email. A signature can be verified if its key is that of an added domain. */

export interface DkimInput {
  id: string;
  /** The domain in From. */
  from: string;
  headers: readonly HeaderField[];
  /** The envelope, and the size of the message in bytes; undefined for an email from REST. */
  envelope: (ReceivedEnvelope & { size: number }) | undefined;
  /** The sending domain; undefined if it has not been added. */
  domain: DomainRecord | undefined;
}

export interface DkimDeps {
  store: Store;
  verifyDkim: VerifyDkim;
}

interface Signature {
  domain: string;
  selector: string;
}

/** Bytes of a message whose signature is verified: it takes some milliseconds. */
const VERIFIED_MAX = 1024 * 1024;

export async function checkDkim(input: DkimInput, deps: DkimDeps): Promise<Finding> {
  const { from, domain } = input;
  const signatures = signaturesOf(input.headers);
  const aligned = signatures.filter((signature) => isAligned(signature.domain, from));
  const verified: Finding[] = [];
  for (const record of await localKeys(aligned, deps)) verified.push(await ofLocalKey(input, record, deps));
  const best = verified.find(({ passed }) => passed) ?? verified[0];
  if (best) return best;
  if (domain?.dkimVerified) return finding('dkim', true, `The service signs for ${from}, and the key is in the DNS.`);
  const [first] = aligned;
  if (first) return finding('dkim', null, unverified(first, from));
  if (domain) return finding('dkim', false, `The key of ${from} was not found in the DNS. ${verifyHint(from)}`);
  if (signatures.length === 0) return notAdded('dkim', from);
  const others = signatures.map((signature) => signature.domain).join(', ');
  return finding('dkim', false, `The message is signed by ${others}, which is not aligned with ${from}.`);
}

function unverified({ domain, selector }: Signature, from: string): string {
  return (
    `The message is signed by ${domain}, which is aligned with ${from}. The signature was not verified, because svc ` +
    `does not have its key (selector ${selector}).`
  );
}

/** Returns the domains of signatures whose key the server has, once each. */
async function localKeys(signatures: readonly Signature[], { store }: DkimDeps): Promise<DomainRecord[]> {
  const selectors = new Map<string, string[]>();
  for (const { domain, selector } of signatures) selectors.set(domain, [...(selectors.get(domain) ?? []), selector]);
  const found = await Promise.all([...selectors.keys()].map((domain) => store.read.domains.find(domain)));
  return found
    .filter((record) => record !== undefined)
    .filter(({ domain, dkimSelector }) => selectors.get(domain)?.includes(dkimSelector));
}

/** Verifies the signature of a domain whose key the server has. */
async function ofLocalKey({ id, envelope }: DkimInput, record: DomainRecord, deps: DkimDeps): Promise<Finding> {
  const { domain, dkimSelector: selector, dkimPublicKey: publicKey } = record;
  if ((envelope?.size ?? 0) > VERIFIED_MAX) {
    const details = `The signature by ${domain} was not verified, because the message has more than 1 MiB.`;
    return finding('dkim', null, details);
  }
  const message = await deps.store.read.received.ofEmail(id);
  if (!message) return finding('dkim', null, `The signature by ${domain} was not verified: the message is missing.`);
  const problem = await deps.verifyDkim(message.bytes, { domain, selector, publicKey });
  if (problem !== undefined) return finding('dkim', false, `The signature by ${domain} is not valid: ${problem}.`);
  if (record.dkimVerified)
    return finding('dkim', true, `The signature by ${domain} is valid, and its key is in the DNS.`);
  return finding(
    'dkim',
    false,
    `The signature by ${domain} is valid, but its key was not found in the DNS. ${verifyHint(domain)}`,
  );
}

/** Returns the domains and selectors of DKIM signatures (RFC 6376, section 3.5). */
function signaturesOf(headers: DkimInput['headers']): Signature[] {
  return headers.flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'dkim-signature') return [];
    const [, domain] = /(?:^|;)\s{0,9}d\s{0,9}=\s{0,9}([^;\s]{1,255})/.exec(value) ?? [];
    const [, selector = ''] = /(?:^|;)\s{0,9}s\s{0,9}=\s{0,9}([^;\s]{1,255})/.exec(value) ?? [];
    return domain === undefined ? [] : [{ domain: domain.toLowerCase(), selector }];
  });
}

/** Compares domains as DMARC does: RFC 7489, section 3.1. */

/** Two labels below which anyone can register a domain, such as co.uk. */
const PUBLIC_SUFFIX = /^(?:ac|co|com|edu|go|gob|gov|gv|ne|net|or|org)\.[a-z]{2}$/;

/**
 * Returns whether two domains belong to one organization, as in relaxed alignment. The usual public suffixes count; the
 * whole list is not used.
 */
export function isAligned(a: string, b: string): boolean {
  return organizationOf(a) === organizationOf(b);
}

function organizationOf(domain: string): string {
  const labels = domain.toLowerCase().split('.');
  const two = labels.slice(-2).join('.');
  return labels.slice(PUBLIC_SUFFIX.test(two) ? -3 : -2).join('.');
}
