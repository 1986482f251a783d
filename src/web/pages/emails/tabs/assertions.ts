import { certainCodes, mainLink } from '../../../../client/checks/check.js';
import { allOf, formatCondition } from '../../../../contract/vocabulary/query/format-query.js';
import { jsString, pythonString, shellWord } from '../../../components/code/quote.js';
import type { EmailDetails } from '../types.js';

/** Code that waits for an email like this one in a test. */

export interface Snippet {
  title: string;
  hint?: string;
  code: string;
}

/** What a test expects: an address, a part of the subject, and how it continues. */
interface Expected {
  address: string | undefined;
  subject: string | undefined;
  query: string;
  hasCode: boolean;
  /** The kind of the link that a test follows. */
  link: string | undefined;
}

/** Maximum characters of the subject to compare. */
const SUBJECT_SHOWN = 80;

/** Returns the code; `flags` is what commands need to find the server. */
export function assertions(email: EmailDetails, flags: string): Snippet[] {
  const expected = expectedOf(email);
  return [
    {
      title: 'Command line',
      hint: 'Waits up to 10 seconds. It considers email of the last 60 seconds, or since “svc dev exec” started.',
      code: command(expected) + flags,
    },
    { title: 'Vitest', hint: 'Needs svc-cli in the project.', code: vitest(expected) },
    { title: 'Playwright', hint: 'Needs svc-cli in the project.', code: playwright(expected) },
    { title: 'pytest', hint: `Run it with “svc dev exec --fresh${flags} -- pytest”.`, code: pytest(expected) },
  ];
}

function expectedOf({ recipients, subject, codes, links }: EmailDetails): Expected {
  const address = (recipients.find(({ kind }) => kind === 'to') ?? recipients[0])?.mailbox;
  const part = comparable(subject);
  return {
    address,
    subject: part,
    query: allOf([
      address === undefined ? '' : formatCondition('to', address),
      part === undefined ? '' : formatCondition('subject', part),
    ]),
    hasCode: certainCodes(codes).length > 0,
    link: mainLink(links)?.kind,
  };
}

/** Returns the longest part of a subject without hidden characters, which neither a shell nor a reader can misread. */
function comparable(subject: string): string | undefined {
  const parts = subject.replace(/\s+/g, ' ').split(/\p{C}+/u);
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  return [...longest].slice(0, SUBJECT_SHOWN).join('').trim() || undefined;
}

function command({ query, hasCode, link }: Expected): string {
  const extract = hasCode ? ' --extract code' : link === undefined ? '' : ' --extract link';
  return `svc emails wait --search ${shellWord(query)}${extract}`;
}

/** Returns the lines that wait and compare, in the style of the test kit. */
function waitInKit({ address, subject, hasCode, link }: Expected): string[] {
  const inbox = address === undefined ? 'svc.emails' : `svc.inbox(${jsString(address)})`;
  const criteria = subject === undefined ? '' : `{ subject: ${jsString(subject)} }`;
  return [
    '  // Let your application send the email here.',
    '',
    `  const email = await ${inbox}.waitFor(${criteria});`,
    ...(hasCode ? ['  expect(email).toHaveCode();'] : []),
    ...(link === undefined ? [] : [`  expect(email).toHaveLink({ kind: ${jsString(link)} });`]),
    '  await expect(email).toBeDelivered();',
  ];
}

function vitest(expected: Expected): string {
  return [
    "import { expect, test } from 'svc-cli/testing/vitest';",
    '',
    `test(${jsString(`sends ${expected.subject ?? 'an email'}`)}, async ({ svc }) => {`,
    ...waitInKit(expected),
    '});',
  ].join('\n');
}

function playwright(expected: Expected): string {
  const { link } = expected;
  return [
    "import { expect, test } from 'svc-cli/testing/playwright';",
    '',
    `test(${jsString(`sends ${expected.subject ?? 'an email'}`)}, async ({ ${link ? 'page, ' : ''}svc }) => {`,
    ...waitInKit(expected),
    ...(link === undefined ? [] : [`  await page.goto(email.link({ kind: ${jsString(link)} }));`]),
    '});',
  ].join('\n');
}

function pytest({ query, hasCode, link }: Expected): string {
  return `import json, os, urllib.request


def wait_for_email(query):
    url = os.environ["SVC_BASE_URL"].replace("/v1", "/_svc/emails/wait")
    body = {"query": query, "since": os.environ["SVC_SINCE"], "timeout_ms": 5000}
    headers = {"Authorization": "Bearer " + os.environ["SVC_API_KEY"], "Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    result = json.load(urllib.request.urlopen(request))["data"]
    assert result["matched"], result["near_misses"]
    return result["emails"][0]


def test_the_email_arrives():
    # Let your application send the email here.
    email = wait_for_email(${pythonString(query)})
    assert ${hasCode ? 'email["codes"]' : link ? 'email["links"]' : 'email["id"]'}`;
}
