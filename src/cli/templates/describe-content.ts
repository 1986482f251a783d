import type { CheckPlace } from '../../contract/control/emails/check.js';
import type { Comparison } from '../../pictures/baseline.js';
import {
  describeView,
  placeText,
  reasonLines,
  resultLine,
  summaryOf,
  wordOf,
} from '../emails/check/describe-checks.js';
import { isSerious, lowScores, type Thresholds, weakFeatures } from '../emails/check/thresholds.js';
import { type Printable, printed } from '../output/color.js';
import { type JunitCase, junitDocument } from '../output/junit.js';
import { oneLine } from '../output/text.js';
import type { TemplateResult } from './check-content.js';
import type { FilePlace } from './template-report.js';

/** Formats the result of svc templates check. */

const fileOf = (place: CheckPlace) => (place as FilePlace).file;
const plain = (place: CheckPlace) => printed(placeText(place, fileOf(place)), false);

/** Returns a line for a template, followed by its failed checks and scores that are too low. */
export function describeTemplate(report: TemplateResult, thresholds: Thresholds): Printable {
  const compared = (report.pictures ?? []).map(pictureLines);
  if ('problem' in report) {
    const { problem, hint } = report;
    return [`${oneLine(report.name)}: not checked. ${problem}\n`, hint ? `  ${hint}\n` : '', compared];
  }
  const { name, score, checks, views = [] } = report;
  const failed = checks.filter(({ passed }) => passed === false);
  const low = lowScores(report, thresholds);
  const features = low.length > 0 ? weakFeatures(report, thresholds) : [];
  return [
    `${oneLine(name)}: ${score === null ? '' : `score ${score}, `}${summaryOf(report)}\n`,
    failed.map((check) => ['  ', resultLine(check), indented(reasonLines(check, fileOf))]),
    low.map((message) => `  ${message}\n`),
    indented(features.map((place) => placeText(place, fileOf(place)))),
    views.map((view) => indented(describeView(view, fileOf))),
    compared,
  ];
}

function pictureLines({ name, passed, message, difference }: Comparison): Printable {
  return [
    ['  ', wordOf(passed, 'error'), `  ${oneLine(name)}: ${oneLine(message)}\n`],
    difference === undefined ? '' : `    ${oneLine(difference)} shows the baseline, the email and the difference\n`,
  ];
}

function indented(lines: readonly Printable[]): Printable {
  return lines.map((line) => (line === '' ? '\n' : ['    ', line, '\n']));
}

const SUITE = 'svc templates check';

/** Formats reports as JUnit XML: one test case for each check of each template, and one for its score. */
export function junitOfTemplates(reports: readonly TemplateResult[], thresholds: Thresholds): string {
  return junitDocument(
    SUITE,
    reports.flatMap((report) => [...casesOf(report, thresholds), ...pictureCases(report)]),
  );
}

function pictureCases({ name: classname, pictures = [] }: TemplateResult): JunitCase[] {
  return pictures.map(({ name, passed, message, details = '' }) => {
    const about = { classname, name, output: passed ? message : details };
    return passed ? about : { ...about, failure: { type: 'picture', message, details: message } };
  });
}

function casesOf(report: TemplateResult, thresholds: Thresholds): JunitCase[] {
  const { name: classname } = report;
  if ('problem' in report) {
    const { problem, hint } = report;
    const details = [problem, hint].filter(Boolean).join('\n');
    return [{ classname, name: 'limits', failure: { type: 'limits', message: problem, details } }];
  }
  const { checks } = report;
  const cases = checks
    .filter(({ passed }) => passed !== null)
    .map((check): JunitCase => {
      const { id, title, details, where, explanation } = check;
      const text = [details, ...where.map(plain), ...(check.passed ? [] : [explanation])].join('\n');
      const about = { classname, name: `${id}: ${title}` };
      if (!isSerious(check, thresholds)) return { ...about, output: text };
      return { ...about, failure: { type: id, message: details, details: text } };
    });
  if (thresholds.minScore === undefined) return cases;
  const low = lowScores(report, thresholds);
  const about = { classname, name: 'min-score' };
  if (low.length === 0) return [...cases, about];
  const places = weakFeatures(report, thresholds).map(plain);
  const message = low.join(' ');
  return [...cases, { ...about, failure: { type: 'min-score', message, details: [message, ...places].join('\n') } }];
}
