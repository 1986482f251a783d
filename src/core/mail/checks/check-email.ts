import type { EmailCheck, EmailChecks } from '../../../contract/control/emails/check.js';
import { domainOf } from '../../../contract/vocabulary/addresses.js';
import type { CallContext } from '../../context.js';
import type { Email } from '../../model/emails.js';
import type { DomainRecord } from '../../model/resources.js';
import type { CheckContent, ContentChecks } from '../../ports.js';
import { type CheckId, checkDefinitions, type Finding, finding, notAdded, verifyHint } from './definitions.js';
import { checkDkim, type DkimDeps, type DkimInput, isAligned } from './dkim.js';
import { checkListUnsubscribe } from './list-unsubscribe.js';

export interface CheckDeps extends Pick<CallContext, 'store' | 'extractsOf'>, Pick<DkimDeps, 'verifyDkim'> {
  checkContent: CheckContent;
}

/**
 * Checks the content and the authentication of an email.
 * @throws ProcessorUnavailableError if no content can be checked now.
 * @throws UnprocessableError if the checks exceed the limits of one message.
 */
export async function checkEmail(email: Email, deps: CheckDeps): Promise<EmailChecks> {
  const { read } = deps.store;
  const { id, subject, html, text } = email;
  const [attachments, envelope, domain, extracts] = await Promise.all([
    read.emails.attachments(id),
    read.received.envelopeOf(id),
    read.domains.find(domainOf(email.fromMailbox)),
    deps.extractsOf(id),
  ]);
  const { headers = [], links = [] } = extracts ?? {};
  const files = attachments.map(({ filename }) => filename);
  const { findings, support } = await deps.checkContent({ subject, html, text, headers, files });
  const authentication = await checkAuthentication({ email, envelope, headers, domain }, deps);
  return { id, ...reportOf([...findings, checkListUnsubscribe(headers, links), ...authentication], support) };
}

/** Returns the report of findings: described, counted and sorted. */
export function reportOf(
  findings: ContentChecks['findings'],
  support: ContentChecks['support'],
): Omit<EmailChecks, 'id'> {
  const checks = findings.map(describe);
  const count = (passed: boolean | null) => checks.filter((check) => check.passed === passed).length;
  return {
    passed: count(true),
    failed: count(false),
    not_run: count(null),
    score: support?.score ?? null,
    checks: checks.sort((a, b) => rank(a) - rank(b)),
    html_support: support,
  };
}

function describe(finding: ContentChecks['findings'][number]): EmailCheck {
  return { ...finding, ...checkDefinitions[finding.id as CheckId] };
}

const SEVERITIES: readonly EmailCheck['severity'][] = ['error', 'warning', 'info'];

/** Returns the position of a check: failed ones first, the most severe at the top. */
function rank({ passed, severity }: EmailCheck): number {
  const group = passed === false ? 0 : passed ? 2 : 1;
  return group * SEVERITIES.length + SEVERITIES.indexOf(severity);
}

/** Checks whether receivers can authenticate an email: RFC 7489, section 3.1. */

interface Authentication extends Pick<DkimInput, 'headers' | 'envelope'> {
  email: Email;
  /** The sending domain; undefined if it has not been added. */
  domain: DomainRecord | undefined;
}

async function checkAuthentication(input: Authentication, deps: DkimDeps): Promise<Finding[]> {
  const from = domainOf(input.email.fromMailbox);
  if (from === '') {
    const details = 'The email has no sender with a domain.';
    return [finding('sending-domain', false, details), ...OTHERS.map((id) => finding(id, null, details))];
  }
  const path = returnPath(input, from);
  const dkim = await checkDkim({ ...input, id: input.email.id, from }, deps);
  return [sendingDomain(input, from), path, dkim, dmarc(input, from, [path, dkim])];
}

const OTHERS = ['return-path', 'dkim', 'dmarc'] as const;

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
    return finding('return-path', false, `${details} was not found. ${verifyHint(from)}`);
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

function dmarc({ domain }: Authentication, from: string, parts: readonly Finding[]): Finding {
  if (!domain) return notAdded('dmarc', from);
  if (!domain.dmarcVerified)
    return finding('dmarc', false, `No policy was found at _dmarc.${from}. ${verifyHint(from)}`);
  const aligned = parts.filter(({ passed }) => passed).map(({ id }) => (id === 'dkim' ? 'DKIM' : 'SPF'));
  if (aligned.length === 0 && parts.some(({ passed }) => passed === null)) {
    return finding('dmarc', null, `Domain ${from} has a policy. SPF is not aligned, and DKIM was not verified.`);
  }
  if (aligned.length === 0)
    return finding('dmarc', false, `Domain ${from} has a policy, but neither SPF nor DKIM is aligned.`);
  return finding('dmarc', true, `Domain ${from} has a policy, and ${aligned.join(' and ')} can pass.`);
}
