/** One test case. A case without a failure passed. */
export interface JunitCase {
  classname: string;
  name: string;
  failure?: { type: string; message: string; details: string };
  output?: string;
}

/** Formats test cases as JUnit XML, with one suite. */
export function junitDocument(suite: string, cases: readonly JunitCase[]): string {
  const failures = cases.filter(({ failure }) => failure).length;
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="0"`;
  const name = escapeXml(suite);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${name}" ${counts}>`,
    `  <testsuite name="${name}" ${counts}>`,
    ...cases.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ classname, name, failure, output }: JunitCase): string {
  const failed = failure
    ? `<failure type="${escapeXml(failure.type)}" message="${escapeXml(failure.message)}">${escapeXml(failure.details)}</failure>`
    : '';
  const printed = output === undefined ? '' : `<system-out>${escapeXml(output)}</system-out>`;
  return `    <testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}">${failed}${printed}</testcase>`;
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
