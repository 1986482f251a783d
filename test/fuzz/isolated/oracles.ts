import assert from 'node:assert/strict';
import { readMbox } from '../../../src/cli/emails/import/mbox.js';
import { snapshotDiff, snapshotOf } from '../../../src/client/checks/snapshot.js';
import { render, type TemplateSource } from '../../../src/contract/service/render-template.js';
import type { Variables } from '../../../src/contract/service/variables.js';
import { ServiceError } from '../../../src/contract/vocabulary/errors.js';
import { RENDERED_CONTENT_BYTES } from '../../../src/contract/vocabulary/limits.js';
import { brokenPlaceholdersIn, placeholdersIn } from '../../../src/contract/vocabulary/placeholders.js';
import type { CheckInput, ExtractInput } from '../../../src/core/ports.js';
import { findLeftOvers } from '../../../src/html/left-overs.js';
import { checkContent } from '../../../src/mime/checks/check-content.js';
import { parseStyle, parseStyleSheet } from '../../../src/mime/checks/css/parse-css.js';
import { extract } from '../../../src/mime/extract/extract.js';
import type { ControlRequest } from './control-requests.js';
import type { FrameInput } from './frame-oracle.js';

/** Checks what must be true for every input. An oracle throws if it is not, and may return a word to count. */

export interface TemplateInput {
  template: TemplateSource;
  variables: Variables;
}

export interface MailboxInput {
  bytes: Uint8Array;
  /** Where the mailbox is cut into chunks. */
  cuts: number[];
  maxBytes: number;
}

/** An email twice, with two sets of IDs, tokens and times. */
export interface SnapshotInput {
  first: { html: string; text: string; code: string };
  second: { html: string; text: string; code: string };
}

/** Those that need many modules load them with the first input. */
export const oracles = {
  checks: checksAgain,
  control: async (request: ControlRequest) => (await import('./control-oracle.js')).answersAsDeclared(request),
  css: parsesAgain,
  extraction: extractsAgain,
  frame: async (input: FrameInput) => (await import('./frame-oracle.js')).isSafeInFrame(input),
  mailbox: splitsInAnyChunks,
  query: async (text: string) => (await import('./query-oracle.js')).findsTheSame(text),
  snapshot: isTheSameSnapshot,
  template: rendersAsScanned,
  /** Tests the runner: hangs if another input came before. */
  'second hangs': secondHangs,
};

export type OracleName = keyof typeof oracles;

/** What to do before the first input of an oracle. */
export const preparations: { [Name in OracleName]?: () => Promise<unknown> } = {
  control: async () => (await import('./control-oracle.js')).prepare(),
  frame: () => import('./frame-oracle.js'),
  query: async () => (await import('./query-oracle.js')).prepare(),
};

/** Style sheets with other tokens at every position. They must not influence what is parsed after them. */
const OTHER_SHEETS = ['x{'.repeat(90), '}'.repeat(300), 'a{b:c;}'.repeat(60), '(['.repeat(40)];

/** Expects the same result of a call after other style sheets were parsed. */
function sameAfterOthers(call: () => unknown): void {
  const first = JSON.stringify(call());
  for (const css of OTHER_SHEETS) parseStyle(css);
  parseStyleSheet(OTHER_SHEETS.join(''));
  assert.equal(JSON.stringify(call()), first);
}

function checksAgain(input: CheckInput): void {
  sameAfterOthers(() => checkContent(input));
}

function parsesAgain(css: string): void {
  sameAfterOthers(() => [parseStyleSheet(css), parseStyle(css)]);
}

function extractsAgain(input: ExtractInput): string {
  const found = extract(input);
  assert.deepEqual(extract(input), found);
  const { subject, text, html } = input;
  // A hidden text is not in `htmlText`, but its code can be meant for the keyboard of a phone.
  const letters = lettersOf([subject, text, found.htmlText, html, ...found.links.map(({ href }) => href)].join(' '));
  for (const { value } of found.codes) {
    assert.notEqual(value, '');
    assert.ok(letters.includes(lettersOf(value)), `the code ${JSON.stringify(value)} is in the email`);
  }
  for (const { href } of found.links) assert.notEqual(href, '');
  return found.codes.length > 0 ? 'code' : found.links.length > 0 ? 'link' : 'none';
}

/** Returns the letters of a text in lower case, and its digits of any script as ASCII. */
const lettersOf = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => String(valueOfDigit(digit.codePointAt(0) ?? 0)))
    .toLowerCase();

/** The digits of a script follow each other from 0 to 9. */
const valueOfDigit = (digit: number): number => {
  let first = digit;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (digit - first) % 10;
};

async function splitsInAnyChunks({ bytes, cuts, maxBytes }: MailboxInput): Promise<string> {
  const at = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
  const whole = await messagesOf([bytes], maxBytes);
  assert.deepEqual(await messagesOf(chunks, maxBytes), whole);
  return `${Math.min(whole.length, 3)} messages`;
}

async function messagesOf(chunks: Uint8Array[], maxBytes: number): Promise<string[]> {
  const found: string[] = [];
  const stream = (async function* () {
    yield* chunks;
  })();
  for await (const message of readMbox(stream, maxBytes)) {
    if ('bytes' in message) assert.ok(message.bytes.length <= maxBytes);
    found.push('bytes' in message ? message.bytes.toString('latin1') : message.problem);
  }
  return found;
}

const isVisible = (text: string) => /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u.test(text);
const asHtml = (text: string) =>
  text.replace(/[&<>"']/g, (found) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[found] ?? '&#39;');

/** Renders as a scanner of characters does, or refuses with the service's error. */
function rendersAsScanned({ template, variables }: TemplateInput): string {
  for (const text of Object.values(template)) {
    for (const { index } of placeholdersIn(text)) assert.equal(text.slice(index, index + 2), '{{');
    for (const index of brokenPlaceholdersIn(text)) assert.equal(text.slice(index, index + 2), '{{');
  }
  findLeftOvers({ ...template, links: [template.text] });
  const given = (name: string) => (Object.hasOwn(variables, name) ? String(variables[name]) : undefined);
  const expected = {
    subject: scanned(template.subject, given),
    html: scanned(template.html, (name) => asHtml(given(name) ?? '')),
    text: scanned(template.text, given),
  };
  try {
    assert.deepEqual(render(template, variables), expected);
    return 'rendered';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    assert.ok(error.details && error.details.length > 0);
    if (error.failure === 'invalid_variables') return error.failure;
    assert.equal(error.failure, 'invalid');
    const { subject = '', html = '', text = '' } = expected;
    const isTooLarge = [html, text].some((content) => Buffer.byteLength(content) > RENDERED_CONTENT_BYTES);
    assert.ok(isTooLarge || !isVisible(subject) || /\p{Cc}/u.test(subject) || subject.length > 500, subject);
    return error.failure;
  }
}

/** Replaces `{{name}}`, read one character after another. */
function scanned(text: string, given: (name: string) => string | undefined): string {
  let result = '';
  for (let at = 0; at < text.length; ) {
    const placeholder = text.startsWith('{{', at) ? nameAt(text, at + 2) : undefined;
    result += placeholder ? (given(placeholder.name) ?? '') : text[at];
    at = placeholder ? placeholder.end : at + 1;
  }
  return result;
}

function nameAt(text: string, start: number): { name: string; end: number } | undefined {
  let at = start;
  while (text[at] === ' ') at += 1;
  const first = at;
  while (/[A-Za-z0-9_]/.test(text[at] ?? '')) at += 1;
  const name = text.slice(first, at);
  while (text[at] === ' ') at += 1;
  return /^[A-Za-z_]/.test(name) && text.startsWith('}}', at) ? { name, end: at + 2 } : undefined;
}

function isTheSameSnapshot({ first, second }: SnapshotInput): void {
  const [one, other] = [first, second].map(({ html, text, code }) =>
    snapshotOf({ html, text, codes: [{ value: code } as never] }),
  ) as [string, string];
  assert.ok(one.endsWith('\n'));
  assert.equal(snapshotDiff(one, other, 'x.html'), undefined);
}

let isSecond = false;

function secondHangs(): void {
  while (isSecond);
  isSecond = true;
}
