import type { Check } from '../../../client/checks/check.js';
import { type Printable, paint } from '../../output/color.js';
import { oneLine, safeText } from '../../output/text.js';
import { type JunitCase, junitDocument } from '../../server/report/junit.js';
import type { AssertResult } from './assert-emails.js';

/** Formats the result of svc emails assert. */

const INDENT = ' '.repeat(8);

/** Returns one line for each check, followed by its details. */
export function describeResult({ checks }: AssertResult): Printable {
  return checks.map((check) => [
    check.passed ? paint('ok    ', 'good') : paint('FAILED', 'bad'),
    `  ${oneLine(check.name)}: ${oneLine(check.message)}\n`,
    ...detailLines(check).map((line) => [INDENT, paint(line, colorOfLine(line)), '\n']),
  ]);
}

function detailLines({ details = '' }: Check): string[] {
  return details === '' ? [] : safeText(details).replace(/\n$/, '').split('\n');
}

function colorOfLine(line: string) {
  if (/^(?:\+\+\+|---) /.test(line)) return 'faint';
  return line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : undefined;
}

/** Returns the message for stderr. */
export function summaryOf({ checks }: AssertResult): string {
  const count = checks.length;
  const failures = checks.filter(({ passed }) => !passed).length;
  if (failures === 0) return count === 1 ? 'The check passed.' : `All ${count} checks passed.`;
  return count === 1 ? 'The check failed.' : `${failures} of ${count} checks failed.`;
}

const SUITE = 'svc emails assert';

export function junitOfResult({ checks }: AssertResult, query: string): string {
  return junitDocument(
    SUITE,
    checks.map((check) => caseOf(check, query)),
  );
}

function caseOf({ name, passed, message, details }: Check, query: string): JunitCase {
  const about = { classname: query === '' ? SUITE : query, name };
  if (passed) return { ...about, output: message };
  const [type = name] = name.split(' ');
  return { ...about, failure: { type, message, details: [message, details ?? ''].join('\n').trim() } };
}
