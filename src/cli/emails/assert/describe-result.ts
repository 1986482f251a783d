import type { Check } from '../../../client/checks/check.js';
import { type Printable, paint } from '../../output/color.js';
import { type JunitCase, junitDocument } from '../../output/junit.js';
import { oneLine, safeText } from '../../output/text.js';
import { networkFetch } from '../../target/network-fetch.js';
import { userAgent } from '../../target/target.js';
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

/** Writes workflow commands of GitHub Actions: https://docs.github.com/actions/reference/workflow-commands */

/** Returns an annotation for each failed check, one per line. */
export function annotationsOf(checks: readonly Check[]): string[] {
  return checks
    .filter(({ passed }) => !passed)
    .map(({ name, message, details }) => {
      const text = details === undefined ? message : `${message}\n${details}`;
      return `::error title=${escapeProperty(`svc emails assert: ${name}`)}::${escapeData(text)}`;
    });
}

function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}

const TIMEOUT_SECONDS = 10;

/** Requests a URL of this machine without credentials, and returns the status. Follows no redirect, reads no body. */
export async function loopbackStatus(url: string): Promise<number> {
  const end = new AbortController();
  const fetch = networkFetch(url, { timeoutSeconds: TIMEOUT_SECONDS, env: {} });
  try {
    const headers = { 'user-agent': userAgent };
    return (await fetch(url, { method: 'GET', headers, signal: end.signal })).status;
  } catch (error) {
    const { reasonOf } = await import('../../../client/failures.js');
    throw new Error(reasonOf(error));
  } finally {
    end.abort();
  }
}
