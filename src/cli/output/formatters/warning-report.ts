import type { ReportedWarning, WarningReport } from '../../../contract/control/warning-report.js';
import { plural } from '../../../contract/vocabulary/text.js';
import { type DescribedWarning, warningText } from '../../../contract/vocabulary/warnings.js';
import type { Printable } from '../color.js';
import { type JunitCase, junitDocument } from '../junit.js';
import { localTime } from '../local-time.js';
import { oneLine, safeJson, shellQuote } from '../text.js';

/** Formats the report of a local server's warnings. Every line is safe to print. */

export function describeReport({ since, warnings, omitted, omitted_notes, omitted_infos }: WarningReport): Printable {
  if (warnings.length + omitted + omitted_notes + omitted_infos === 0)
    return `No warnings since ${localTime(since)}.\n`;
  const count = (level: ReportedWarning['level']) => warnings.filter((each) => each.level === level).length;
  const [notes, infos] = [plural(count('note'), 'note'), plural(count('info'), 'info')];
  const total = `${plural(count('warning'), 'warning')}${count('info') === 0 ? ` and ${notes}` : `, ${notes} and ${infos}`}`;
  const more = [
    ...(omitted === 0 ? [] : [`\n${omittedText(omitted, 'warning')}\n`]),
    ...(omitted_notes === 0 ? [] : [`\n${omittedText(omitted_notes, 'note')}\n`]),
    ...(omitted_infos === 0 ? [] : [`\n${omittedText(omitted_infos, 'info')}\n`]),
  ];
  return [
    `${total} since ${localTime(since)}.\n`,
    ...warnings.map((warning) => `\n${describeWarning(warning)}`),
    ...more,
  ];
}

/** Returns whether a warning fails a run. A note does if a strict server refused the request because of it. */
export function isFailure({ level, refused }: ReportedWarning): boolean {
  return level === 'warning' || refused;
}

/** Reports the number of occurrences beyond the maximum number of distinct warnings. */
function omittedText(omitted: number, level: ReportedWarning['level']): string {
  const verb = omitted === 1 ? 'is' : 'are';
  return `${plural(omitted, `more ${level}`)} ${verb} not listed, because too many differ.`;
}

function describeWarning(warning: ReportedWarning): string {
  const { level, code, route, count, user_agent, first, last, example } = warning;
  const kind = route === 'SMTP' ? 'message' : 'request';
  const fields = [
    ['user agent', user_agent],
    ['first', occurrence(first)],
    ['last', count > 1 ? occurrence(last) : null],
    ['example', example && describeExample(example)],
  ].flatMap(([name, value]) => (value === null || value === undefined ? [] : [`  ${name?.padEnd(12)}${value}`]));
  const lines = [
    `${level}  ${code}  ${route}  ${plural(count, kind)}`,
    `  ${warningText(warning)}`,
    `  ${consequence(warning)}`,
    ...fields,
  ];
  return lines.map((line) => `${oneLine(line)}\n`).join('');
}

/** Returns what the service may do instead or the server did, and what to do about it. */
function consequence({ refused, strict_status, strict_code, advice }: ReportedWarning): string {
  if (refused) return `Refused with ${strict_status} ${strict_code}, because the server is strict. ${advice}`;
  return strict_status === null ? advice : `The service may answer ${strict_status} ${strict_code}. ${advice}`;
}

function occurrence({ at, request_id, email_id }: ReportedWarning['first']): string {
  return [localTime(at), request_id ?? email_id ?? ''].join('  ').trim();
}

type Example = NonNullable<ReportedWarning['example']>;

/** Returns a command that sends a request again; only its method and path if the command would not be the same request. */
export function describeExample(example: Example): string {
  const { method, path, shortened } = example;
  // Characters that are not printed cannot be escaped in a path.
  return shortened || oneLine(path) !== path ? `${method} ${path} (example shortened)` : curlOf(example);
}

function curlOf({ method, path, body }: Example): string {
  const words = ['curl', ...(method === (body === null ? 'GET' : 'POST') ? [] : ['-X', method])];
  // Replaces the prefix, which is part of SVC_BASE_URL.
  words.push(`"$SVC_BASE_URL"${shellQuote(path.replace(/^\/v1/, ''))}`, '-H', '"Authorization: Bearer $SVC_API_KEY"');
  if (body !== null) words.push('-H', "'Content-Type: application/json'", '-d', shellQuote(safeJson(body)));
  return words.join(' ');
}

const REPORT = 'svc dev report';

/**
 * Formats a report of warnings as JUnit XML: one test case each, and one for all that are omitted. A warning is a
 * failure, a note is not.
 */
export function junitOf({ warnings, omitted }: WarningReport): string {
  const rest = omitted > 0 ? [omittedCase(omitted)] : [];
  return junitDocument(REPORT, [...warnings.map(warningCase), ...rest]);
}

function warningCase(warning: ReportedWarning): JunitCase {
  const { code, route, count, user_agent, example } = warning;
  const text = warningText(warning);
  const details = [
    text,
    consequence(warning),
    `Occurrences: ${count}`,
    ...(user_agent === null ? [] : [`User agent: ${user_agent}`]),
    ...(example === null ? [] : [describeExample(example)]),
  ].join('\n');
  const about = { classname: route, name: `${code}: ${text}` };
  return isFailure(warning)
    ? { ...about, failure: { type: code, message: text, details } }
    : { ...about, output: details };
}

function omittedCase(omitted: number): JunitCase {
  const text = omittedText(omitted, 'warning');
  return { classname: REPORT, name: 'omitted', failure: { type: 'omitted', message: text, details: text } };
}

/** Formats warnings. Every line is safe to print. */

/** Formats a warning on one line: `tagz: is not a field (did you mean tags?) [unknown_field]`. */
export function warningLine(warning: DescribedWarning): string {
  return oneLine(`${warningText(warning)} [${warning.code}]`);
}

/** Formats warnings on two lines each: the warning, and what to do about it. */
export function warningLines(warnings: readonly DescribedWarning[]): string[] {
  return warnings.flatMap((warning) => {
    const { level, advice, strict_status } = warning;
    const refused = strict_status === null ? '' : ` With --strict: ${strict_status}.`;
    return [`${level.padEnd(7)}  ${warningLine(warning)}`, `${' '.repeat(9)}${oneLine(advice)}${refused}`];
  });
}
