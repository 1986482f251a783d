import type { EmailCheck, EmailChecks } from '../../../contract/control/emails/check.js';
import { domainOf } from '../../../contract/vocabulary/parsers/address.js';
import type { CallContext } from '../../context.js';
import type { Email } from '../../model/emails.js';
import type { CheckContent, ContentChecks } from '../../ports.js';
import { checkAuthentication } from './authentication.js';
import { type CheckId, checkDefinitions } from './definitions.js';
import type { DkimDeps } from './dkim.js';
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
