import type { Client } from '../../../client/client.js';
import type { EmailCheck, EmailChecks, LinkChecks } from '../../../contract/control/emails/check.js';
import { plural } from '../../output/plural.js';

/** Checks an email on the server, and requests its links if that is wanted. */

export interface CheckReport extends EmailChecks {
  /** Null if the links were not requested. */
  links: LinkChecks['links'] | null;
}

/** Which links are requested: none, those to this machine, or all. */
export type LinkScope = 'none' | 'local' | 'all';

export async function runChecks(client: Client, id: string, scope: LinkScope): Promise<CheckReport> {
  const params = { id };
  const report = await client.control('emails.check', { params });
  if (scope === 'none') return { ...report, links: null };
  const links = await client.control('emails.check_links', { params, body: { remote: scope === 'all' } });
  const check = linkCheck(links);
  const { passed, failed, not_run } = report;
  return {
    ...report,
    passed: passed + Number(check.passed === true),
    failed: failed + Number(check.passed === false),
    not_run: not_run + Number(check.passed === null),
    checks: check.passed === false ? [check, ...report.checks] : [...report.checks, check],
    links: links.links,
  };
}

function linkCheck({ ok, failed, skipped, links }: LinkChecks): EmailCheck {
  const found = links.filter(({ result }) => result === 'failed').map(({ url, details }) => `${url}: ${details}`);
  const counts = `${plural(ok, 'link')} with a response below 400, ${failed} failed, ${skipped} skipped.`;
  return {
    id: 'links',
    title: 'Links',
    severity: 'error',
    passed: failed > 0 ? false : ok > 0 ? true : null,
    details: found.length > 0 ? `${counts} ${found.slice(0, LISTED_MAX).join(' ')}` : counts,
    count: failed,
    where: [],
    explanation:
      'A link must respond with a status below 400. Links to other machines are skipped without --all-links.',
    see: 'https://www.rfc-editor.org/rfc/rfc9110#name-status-codes',
  };
}

/** Failed links that the result names; `links` has all. */
const LISTED_MAX = 5;

const SEVERITIES = ['info', 'warning', 'error'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Returns why the report is not good enough; undefined if it is. */
export function shortfall(
  { checks, score }: CheckReport,
  { failOn, minScore }: { failOn: Severity | undefined; minScore: number | undefined },
): string | undefined {
  const serious = checks.filter(
    ({ passed, severity }) =>
      passed === false && failOn !== undefined && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(failOn),
  );
  if (serious.length > 0) {
    return `${plural(serious.length, 'check')} failed with severity ${failOn}${failOn === 'error' ? '' : ' or higher'}.`;
  }
  if (minScore === undefined || score === null || score >= minScore) return undefined;
  return `The score is ${score}, expected at least ${minScore}.`;
}

/** Returns the message for stderr. */
export function summaryOf({ passed, failed, not_run }: CheckReport): string {
  const rest = not_run > 0 ? `, ${not_run} not run` : '';
  return `${plural(passed, 'check')} passed, ${failed} failed${rest}.`;
}
