import type { ContentReport } from '../../../app/file-checks.js';
import type { Client } from '../../../client/client.js';
import type { ClientView, EmailCheck, LinkChecks } from '../../../contract/control/emails/check.js';
import type { ClientViewId } from '../../../contract/vocabulary/client-views.js';
import { plural } from '../../../contract/vocabulary/text.js';

/** Checks an email on the server, and requests its links if that is wanted. */

export interface CheckReport extends ContentReport {
  /** The email of the server. */
  id?: string;
  /** The file that was checked instead. */
  file?: string;
  /** Null if the links were not requested. */
  links: LinkChecks['links'] | null;
  /** What mail clients change, if that is wanted. */
  views?: ListedView[];
}

/** What a mail client changes, in its dark mode too. */
export type ListedView = Omit<ClientView, 'html'>;

/** Returns what mail clients change in an email on the server. */
export async function readViews(client: Client, id: string, names: readonly ClientViewId[]): Promise<ListedView[]> {
  const views: ListedView[] = [];
  for (const name of names) {
    const query = { client: name, color_scheme: 'dark' } as const;
    views.push(withoutHtml(await client.control('emails.view', { params: { id }, query })));
  }
  return views;
}

export function withoutHtml({ html: _, ...view }: ClientView): ListedView {
  return view;
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
