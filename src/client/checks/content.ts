import { findLeftOvers } from '../../html/left-overs.js';
import { type Check, type CheckedEmail, failed, listed, onOneLine, passed, quote } from './check.js';
import type { TextPattern } from './text-pattern.js';

/** Checks what an email contains. */

/** The texts of an email that a reader sees, with their names. Runs of white space become one space. */
function textsOf(email: CheckedEmail): [name: string, text: string][] {
  const texts: [string, string][] = [
    ['subject', email.subject],
    ['text', email.text],
    ['HTML', email.html_text],
  ];
  return texts.filter(([, text]) => text !== '').map(([name, text]) => [name, onOneLine(text)]);
}

/** Checks that the subject, the text or the HTML as text contains a text. White space is normalized, case counts. */
export function checkContains(email: CheckedEmail, expected: string): Check {
  const name = `contains ${quote(expected)}`;
  const sought = onOneLine(expected);
  const texts = textsOf(email);
  const places = texts.filter(([, text]) => text.includes(sought)).map(([place]) => place);
  if (places.length > 0) return passed(name, `found in the ${places.join(' and the ')}`);
  const clues = [caseClue(texts, sought) ?? prefixClue(texts, sought)].filter((clue) => clue !== undefined);
  return failed(name, [`not found in the ${namesOf(texts)}`, ...clues].join('; '));
}

function namesOf(texts: readonly [string, string][]): string {
  const names = texts.map(([name]) => name);
  return names.length === 0 ? 'email, which is empty' : names.join(', ').replace(/, (?=\w+$)/, ' or ');
}

/** Returns the text that differs in upper and lower case only. */
function caseClue(texts: readonly [string, string][], sought: string): string | undefined {
  for (const [place, text] of texts) {
    const at = text.toLowerCase().indexOf(sought.toLowerCase());
    if (at >= 0) return `the ${place} has ${quote(text.slice(at, at + sought.length))} in another case`;
  }
  return undefined;
}

const PREFIX_MIN = 4;
const CONTEXT_CHARACTERS = 40;

/** Returns where the longest beginning of the text was found, and what follows there instead. */
function prefixClue(texts: readonly [string, string][], sought: string): string | undefined {
  const found = texts
    .map(([place, text]) => ({ place, text, length: prefixIn(text, sought) }))
    .reduce<{ place: string; text: string; length: number } | undefined>(
      (best, each) => (each.length > (best?.length ?? 0) ? each : best),
      undefined,
    );
  if (!found || found.length < PREFIX_MIN) return undefined;
  const start = found.text.indexOf(sought.slice(0, found.length));
  return `the ${found.place} has ${quote(found.text.slice(start, start + sought.length + CONTEXT_CHARACTERS))}`;
}

/** Returns the length of the longest prefix of a text that another contains. */
function prefixIn(text: string, sought: string): number {
  let [low, high] = [0, sought.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (text.includes(sought.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Checks that a regular expression matches the subject, the text or the HTML as text. */
export function checkMatches(email: CheckedEmail, source: string, pattern: TextPattern): Check {
  const name = `matches ${source}`;
  const texts: [string, string][] = [
    ['subject', email.subject],
    ['text', email.text],
    ['HTML', email.html_text],
  ];
  for (const [place, text] of texts) {
    const found = pattern.find(text);
    if (found !== undefined) return passed(name, `found ${quote(found)} in the ${place}`);
  }
  return failed(name, `no match in the ${namesOf(textsOf(email))}`);
}

/** Checks that an email has a link whose URL matches the pattern, which was written as `source`. */
export function checkHasLink(email: CheckedEmail, source: string, pattern: TextPattern): Check {
  const name = `has-link ${quote(source)}`;
  const found = email.links.find(({ href }) => pattern.find(href) !== undefined);
  if (found) return passed(name, `found ${found.href}`);
  const urls = [...new Set(email.links.map(({ href }) => href))];
  if (urls.length === 0) return failed(name, 'the email has no links');
  return failed(name, `no link matches; found ${listed(urls)}`);
}

export function checkAttachments(email: CheckedEmail, expected: number): Check {
  const name = `attachments ${expected}`;
  const names = email.attachments.map(({ filename, size }) => `${filename || 'without a name'} (${size} bytes)`);
  const found = names.length === 0 ? 'found none' : `found ${names.length}: ${listed(names)}`;
  if (names.length === expected) return passed(name, found);
  return failed(name, `expected ${expected}, ${found}`);
}

/** Checks the size of an email. `limit` is the text that `bytes` was written as. */
export function checkMaxSize(email: CheckedEmail, bytes: number, limit = `${bytes} bytes`): Check {
  const name = `max-size ${limit}`;
  if (email.size <= bytes) return passed(name, `the email is ${email.size} bytes`);
  return failed(name, `expected at most ${bytes} bytes, found ${email.size}`);
}

/** Checks that the subject, the text, the HTML and its links have no placeholders left. */
export function checkNoPlaceholders({ subject, text, html, links }: CheckedEmail): Check {
  const name = 'no-placeholders';
  const found = findLeftOvers({ subject, text, html, links: links.map(({ href }) => href) });
  if (found.length === 0) return passed(name, 'found none');
  const lines = found.map(({ value, context, place }) => {
    const where = `${value} in ${place}`;
    return context === value ? where : `${where}: ${quote(context)}`;
  });
  return failed(name, `found ${listed(lines)}`);
}
