import type { ReportedWarning, WarningReport } from '../../../contract/control/warning-report.js';
import { warningText } from '../../../contract/vocabulary/warnings.js';
import { consequence, describeExample, isFailure, omittedText } from '../../output/formatters/warning-report.js';

/**
 * Formats a report of warnings as JUnit XML: one test case each, and one for all that are omitted. A warning is a
 * failure, a note is not.
 */
export function junitOf({ warnings, omitted }: WarningReport): string {
  const rest = omitted > 0 ? [omittedCase(omitted)] : [];
  const failures = warnings.filter(isFailure).length + rest.length;
  const counts = `tests="${warnings.length + rest.length}" failures="${failures}" errors="0" skipped="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="svc dev report" ${counts}>`,
    `  <testsuite name="svc dev report" ${counts}>`,
    ...warnings.map(testCase),
    ...rest,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(warning: ReportedWarning): string {
  const { code, route, count, user_agent, example } = warning;
  const text = warningText(warning);
  const details = [
    text,
    consequence(warning),
    `Occurrences: ${count}`,
    ...(user_agent === null ? [] : [`User agent: ${user_agent}`]),
    ...(example === null ? [] : [describeExample(example)]),
  ].join('\n');
  const content = isFailure(warning)
    ? `<failure type="${escapeXml(code)}" message="${escapeXml(text)}">${escapeXml(details)}</failure>`
    : `<system-out>${escapeXml(details)}</system-out>`;
  return `    <testcase classname="${escapeXml(route)}" name="${escapeXml(`${code}: ${text}`)}">${content}</testcase>`;
}

function omittedCase(omitted: number): string {
  const text = omittedText(omitted, 'warning');
  return `    <testcase classname="svc dev report" name="omitted"><failure type="omitted" message="${text}">${text}</failure></testcase>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Escapes a text for XML 1.0, in which most control characters and lone surrogates are not allowed. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow these
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
  );
}
