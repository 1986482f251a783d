import { Flags, type Interfaces } from '@oclif/core';
import type { ContentReport } from '../../../app/file-checks.js';
import type { CheckPlace, EmailCheck } from '../../../contract/control/emails/check.js';
import { type ClientViewId, clientViewNamed, clientViews } from '../../../contract/vocabulary/client-views.js';
import { nearestName } from '../../../contract/vocabulary/nearest-name.js';
import { plural } from '../../../contract/vocabulary/text.js';
import { UsageError } from '../../errors/exit-codes.js';
import { quoted } from '../../output/text.js';

/** Declares the flags that decide whether checked content is good enough, and compares reports with them. */

const SEVERITIES = ['info', 'warning', 'error'] as const;
type Severity = (typeof SEVERITIES)[number];

/** Returns the flags. Without `failOn`, failed checks do not change the exit code. */
export function thresholdFlags(failOn?: Severity) {
  const severity = {
    options: ['error', 'warning', 'info'] as const,
    description: `Lowest severity of a failed check that makes the command exit with 3${failOn ? ` (default: ${failOn})` : ''}.`,
  };
  return {
    'fail-on': Flags.option(severity)(),
    'min-score': Flags.integer({
      description: 'Score of HTML and CSS support below which the command exits with 3.',
      min: 0,
      max: 100,
      helpValue: '0-100',
    }),
    client: Flags.string({
      description:
        'Mail client, such as gmail or outlook.windows, whose own score --min-score applies to. Without --min-score, ' +
        'list what it changes in the HTML. Repeatable.',
      helpValue: 'NAME',
      multiple: true,
    }),
  };
}

export interface Thresholds {
  failOn: Severity | undefined;
  minScore: number | undefined;
  /** IDs of the mail clients that need the score; empty if it is the score over all. */
  clients: readonly string[];
  /** Mail clients whose changes are listed. */
  views: readonly ClientViewId[];
}

/** Returns the thresholds that flags set. @throws UsageError for an unknown mail client. */
export async function thresholdsOf(
  flags: Interfaces.InferredFlags<ReturnType<typeof thresholdFlags>>,
  failOn?: Severity,
): Promise<Thresholds> {
  const names = flags.client ?? [];
  const minScore = flags['min-score'];
  const clients = names.length === 0 || minScore === undefined ? [] : await clientIds(names);
  const views = minScore === undefined ? names.map(viewOf) : [];
  return { failOn: flags['fail-on'] ?? failOn, minScore, clients, views };
}

function viewOf(name: string): ClientViewId {
  const view = clientViewNamed(name);
  if (view) return view.name;
  throw new UsageError(
    `--client: svc has no view of mail client ${quoted(name)}.`,
    `Choose from: ${clientViews.map((each) => each.name).join(', ')}. With --min-score, others have a score.`,
  );
}

/** Returns the IDs for names: that of one client, or the family of several. */
async function clientIds(names: readonly string[]): Promise<string[]> {
  const { mailClientIds } = await import('../../../app/file-checks.js');
  const known = await mailClientIds();
  const families = [...new Set(known.map((id) => id.slice(0, id.indexOf('.'))))];
  return names.flatMap((name) => {
    const wanted = name.toLowerCase();
    const found = known.filter((id) => id === wanted || id.startsWith(`${wanted}.`));
    if (found.length > 0) return found;
    const ofFamily = known.filter((id) => id.startsWith(`${wanted.split('.')[0]}.`));
    const nearest = ofFamily.length > 0 ? undefined : nearestName(wanted, families);
    const choice = ofFamily.length > 0 ? ofFamily : families;
    throw new UsageError(
      `--client: mail client ${quoted(name)} not found.`,
      nearest ? `Did you mean ${nearest}?` : `Choose from: ${choice.join(', ')}.`,
    );
  });
}

/** Returns whether a check failed with the severity that counts. A required score replaces that of its check. */
export function isSerious({ id, passed, severity }: EmailCheck, { failOn, minScore }: Thresholds): boolean {
  if (passed !== false || failOn === undefined || (id === 'html-support' && minScore !== undefined)) return false;
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(failOn);
}

/** Returns the scores that are too low, in words, and the clients that have no score. */
export function lowScores({ score, html_support }: ContentReport, { minScore, clients }: Thresholds): string[] {
  if (minScore === undefined) return [];
  const known = html_support?.clients.filter(({ id }) => clients.includes(id)) ?? [];
  const scores =
    clients.length === 0
      ? [{ of: 'The score', score }]
      : known.map(({ name, score }) => ({ of: `The score of ${name}`, score }));
  return scores.flatMap(({ of, score }) => {
    if (score !== null) return score >= minScore ? [] : [`${of} is ${score}, expected at least ${minScore}.`];
    return clients.length > 0 ? [`${of} is not known: the data has too little about this client.`] : [];
  });
}

/** Features that the reason of a low score lists. */
const WEAK_MAX = 5;

/** Returns the first positions of the features that lower a score the most. */
export function weakFeatures({ html_support }: ContentReport, { clients }: Thresholds): CheckPlace[] {
  const features = html_support?.features ?? [];
  const weak = features.filter(({ supported, clients: lacking }) =>
    clients.length === 0 ? supported < 100 : lacking.some(({ id }) => clients.includes(id)),
  );
  return weak
    .slice(0, WEAK_MAX)
    .flatMap(({ title, where }) =>
      where.slice(0, 1).map((place) => ({ ...place, note: `${title} has no full support` })),
    );
}

/** Returns why the report is not good enough; undefined if it is. */
export function shortfall(report: ContentReport, thresholds: Thresholds): string | undefined {
  const { failOn } = thresholds;
  const serious = report.checks.filter((check) => isSerious(check, thresholds));
  if (serious.length > 0) {
    return `${plural(serious.length, 'check')} failed with severity ${failOn}${failOn === 'error' ? '' : ' or higher'}.`;
  }
  const low = lowScores(report, thresholds);
  return low.length > 0 ? low.join(' ') : undefined;
}
