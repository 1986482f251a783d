import type { CheckPlace, EmailCheck, HtmlSupport } from '../../../contract/control/emails/check.js';
import { plural } from '../../../contract/vocabulary/text.js';
import { type Color, type Printable, paint } from '../../output/color.js';
import { section } from '../../output/formatters/email-inspection.js';
import { type Column, stdoutView, table } from '../../output/table.js';
import { oneLine } from '../../output/text.js';
import type { CheckReport, ListedView } from './run-checks.js';

/** Formats the result of svc emails check. */

/** Positions of one check that are printed; --json has more. */
const PLACES_MAX = 5;
const FEATURES_MAX = 10;
const CLIENTS_MAX = 10;

type FileOf = (place: CheckPlace) => string;

const WIDTH = 'warning'.length;
const COLORS: Record<EmailCheck['severity'], Color> = { error: 'bad', warning: 'waiting', info: 'faint' };

export function describeChecks({ file, checks, html_support, views = [] }: CheckReport): Printable {
  // The lines of a message are those of its decoded parts.
  const fileOf: FileOf = ({ source }) => (file !== undefined && isHtmlFile(file) ? file : source);
  const failed = checks.filter(({ passed }) => passed === false);
  const sections = failed.flatMap((check) => section(`${check.title} (${check.id})`, reasonLines(check, fileOf)));
  return [
    checks.map(resultLine),
    sections.map((line) => [line, '\n']),
    html_support ? supportTables(html_support) : '',
    views.flatMap((view) => describeView(view, fileOf)).map((line) => [line, '\n']),
  ];
}

/** Describes what a mail client changes: a line for each rule, its first positions and its source. */
export function describeView(
  { client, title, subject, preview, differences }: ListedView,
  fileOf: FileOf,
): Printable[] {
  const effects = differences.flatMap(({ effect, rule, text, source, where, count }) => [
    [paint(effect.padEnd(WIDTH), effect === 'partial' ? 'faint' : 'waiting'), `  ${text} (${rule})`],
    ...where.map((place) => ['  ', placeText(place, fileOf(place))]),
    ...(count > where.length ? [`  ${plural(count - where.length, 'more position')}`] : []),
    ['  ', paint(source, 'faint')],
  ]);
  const list = `${oneLine(subject) || '(no subject)'} – ${oneLine(preview)}`;
  return section(`Changes in ${title}, approximate (${client})`, [`In the list of emails: ${list}`, ...effects]);
}

export function resultLine({ passed, severity, title, details }: EmailCheck): Printable {
  return [wordOf(passed, severity), `  ${title}: ${oneLine(details)}\n`];
}

/** Returns the word for a result, in a column of its width. */
export function wordOf(passed: boolean | null, severity: EmailCheck['severity']): Printable {
  const word = passed === null ? 'not run' : passed ? 'passed' : severity;
  const color = passed === null ? 'faint' : passed ? 'good' : COLORS[severity];
  return paint(word.padEnd(WIDTH), color);
}

/** Returns the lines of a failed check: its first positions, why it matters, and where to read more. */
export function reasonLines({ where, count, explanation, see }: EmailCheck, fileOf: FileOf): Printable[] {
  const places = where.slice(0, PLACES_MAX).map((place) => placeText(place, fileOf(place)));
  const rest = count - places.length;
  const more = places.length > 0 && rest > 0 ? [`${plural(rest, 'more position')}; --json has the first 20`] : [];
  return [...places, ...more, explanation, paint(see, 'faint')];
}

/** Formats a position in a file, or in a part of an email. */
export function placeText({ line, column, excerpt, note }: CheckPlace, file: string): Printable {
  const text = note === undefined ? excerpt : `${note}: ${excerpt}`;
  return [paint(`${oneLine(file)}:${line}:${column}`, 'faint'), `  ${oneLine(text)}`];
}

const FEATURE_COLUMNS: Column[] = [
  { title: 'FEATURE', rank: 1 },
  { title: 'USES', rank: 4, kind: 'number' },
  { title: 'SUPPORTED', rank: 2 },
  { title: 'PARTIAL', rank: 5 },
  { title: 'LINE', rank: 3, kind: 'number' },
];
const CLIENT_COLUMNS: Column[] = [
  { title: 'CLIENT', rank: 1 },
  { title: 'SCORE', rank: 2, kind: 'number' },
  { title: 'UNSUPPORTED', rank: 3, kind: 'number' },
  { title: 'PARTIAL', rank: 4, kind: 'number' },
];

function supportTables({ features, clients, updated, source }: HtmlSupport): Printable {
  const weak = features.filter(({ supported }) => supported < 100).slice(0, FEATURES_MAX);
  const rows = weak.map(({ title, found, supported, partial, where }) => [
    title,
    String(found),
    `${supported}%`,
    `${partial}%`,
    String(where[0]?.line ?? ''),
  ]);
  const known = clients.flatMap(({ name, score, unsupported, partial }) =>
    score === null ? [] : [[name, String(score), String(unsupported), String(partial)]],
  );
  return [
    '\nFeatures with the least support:\n',
    table(FEATURE_COLUMNS, rows, stdoutView()),
    '\nClients with the lowest score:\n',
    table(CLIENT_COLUMNS, known.slice(0, CLIENTS_MAX), stdoutView()),
    paint(`Data of ${source} from ${updated}\n`, 'faint'),
  ];
}

/** Returns the message for stderr. */
export function summaryOf({ passed, failed, not_run }: Pick<CheckReport, 'passed' | 'failed' | 'not_run'>): string {
  const rest = not_run > 0 ? `, ${not_run} not run` : '';
  return `${plural(passed, 'check')} passed, ${failed} failed${rest}.`;
}

/** Returns whether a file has HTML only. Any other is a message. */
export function isHtmlFile(path: string): boolean {
  return /\.html?$/i.test(path);
}
