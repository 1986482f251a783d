import { isIP } from 'node:net';
import type { CheckPlace } from '../../../contract/control/emails/check.js';
import { isLoopback } from '../../../contract/vocabulary/domains.js';
import { isSeen } from '../css/computed-styles.js';
import { type ContentInput, type Finding, findingOf } from '../finding.js';
import type { Element } from '../html/document.js';
import { Found, Places } from '../places.js';

/** Checks for patterns that spam filters count against an email. A short list, each with its reason. */
export function checkSpamPatterns(input: ContentInput): Finding {
  const found = new Found();
  for (const place of [...subjectProblems(input), ...phraseProblems(input)]) found.add(() => place);
  for (const place of [...linkProblems(input), ...layoutProblems(input), ...fileProblems(input)])
    found.add(() => place);
  return findingOf(
    'spam-patterns',
    found,
    'Found none of the usual patterns.',
    `Found ${found.count} pattern${found.count === 1 ? '' : 's'} that filters count.`,
  );
}

const CAPITALS_MIN = 10;
const SUBJECT_PATTERNS: readonly [pattern: RegExp, note: string][] = [
  [/!{2,}|[!?]{3,}/, 'repeated punctuation in the subject'],
  [/[$€£]{2,}/, 'repeated currency signs in the subject'],
];

function* subjectProblems({ subject, headers }: ContentInput): Generator<CheckPlace> {
  if (subject === null) return;
  const places = new Places(subject, 'subject');
  if (subject.trim() === '') yield places.at(0, 'no subject');
  const letters = subject.replace(/[^\p{L}]/gu, '');
  const isUpper =
    letters.length >= CAPITALS_MIN && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
  if (isUpper) yield places.at(0, 'subject in capitals');
  for (const [pattern, note] of SUBJECT_PATTERNS) {
    const at = subject.search(pattern);
    if (at >= 0) yield places.at(at, note);
  }
  const isReply = headers.some(([name]) => /^(?:in-reply-to|references)$/i.test(name));
  if (/^(?:re|fwd?|aw|sv)\s{0,3}:/i.test(subject) && !isReply) yield places.at(0, 'looks like a reply, but is not one');
}

/** Phrases of advertising that filters weigh. In a receipt or a reset none of them is needed. */
const PHRASES =
  /\b(?:act now|100% free|risk[- ]free|no obligation|limited time offer|earn (?:extra )?(?:cash|money)|make money fast|double your|this is not spam|you(?:'ve| have) been selected|you are a winner|claim your prize|dear friend|cheap meds|work from home|once in a lifetime|buy now pay later|lowest price|miracle)\b/gi;

function* phraseProblems({ subject, text, html }: ContentInput): Generator<CheckPlace> {
  for (const [content, source] of [
    [subject, 'subject'],
    [text, 'text'],
    [html, 'html'],
  ] as const) {
    if (content === null) continue;
    const places = new Places(content, source);
    for (const { 0: phrase, index } of content.matchAll(PHRASES)) yield places.at(index, `phrase "${phrase}"`);
  }
}

const SHORTENERS = new Set(
  'bit.ly tinyurl.com t.co goo.gl ow.ly is.gd buff.ly rebrand.ly cutt.ly tiny.cc rb.gy shorturl.at t.ly'.split(' '),
);
const URL_MAX = 8_192;

function* linkProblems({ document, places }: ContentInput): Generator<CheckPlace> {
  const shown = new Map<Element, string>();
  for (const { text, parent } of document.texts) {
    if (parent?.name === 'a') shown.set(parent, `${shown.get(parent) ?? ''}${text}`.slice(0, URL_MAX));
  }
  for (const element of document.elements) {
    const host = element.name === 'a' ? hostOf(element.attributes.get('href')) : undefined;
    if (host === undefined) continue;
    if (SHORTENERS.has(host)) yield places.of(element, `link shortener ${host}`);
    if (isIP(host.replace(/^\[|\]$/g, '')) && !isLoopback(host)) yield places.of(element, `address ${host} in a link`);
    const other = hostOf(urlIn(shown.get(element) ?? ''));
    if (other !== undefined && !isSameSite(other, host)) {
      yield places.of(element, `the text shows ${other}, the link leads to ${host}`);
    }
  }
}

function hostOf(url: string | undefined): string | undefined {
  const trimmed = url?.trim().slice(0, URL_MAX);
  return trimmed && /^https?:/i.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed).hostname : undefined;
}

/** Returns the URL that a text consists of. */
function urlIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (/^https?:\/\/\S{4,}$/i.test(trimmed)) return trimmed;
  return /^www\.[^\s/]{3,250}(?:\/\S*)?$/i.test(trimmed) ? `https://${trimmed}` : undefined;
}

function isSameSite(a: string, b: string): boolean {
  const [one, other] = [a, b].map((host) => host.replace(/^www\./, ''));
  return one === other || Boolean(one?.endsWith(`.${other}`)) || Boolean(other?.endsWith(`.${one}`));
}

/** Characters of text below which images are most of an email. */
const TEXT_MIN = 100;
/** Characters of hidden text above which it is not a preheader. */
const HIDDEN_MAX = 500;

function* layoutProblems({ document, styles, places }: ContentInput): Generator<CheckPlace> {
  let shown = 0;
  let hidden = 0;
  for (const { text, parent } of document.texts) {
    const letters = text.replace(/[^\p{L}\p{N}]/gu, '').length;
    if (letters === 0 || parent?.name === 'title' || parent?.name === 'script') continue;
    if (isSeen(styles.of(parent))) shown += letters;
    else hidden += letters;
  }
  const image = document.elements.find(({ name }) => name === 'img');
  if (image && shown < TEXT_MIN) yield places.of(image, `images with only ${shown} letters of text`);
  if (hidden > HIDDEN_MAX) yield places.at(0, `${hidden} letters of hidden text`);
}

/** File types that Gmail and Outlook refuse. */
const REFUSED_FILES =
  /\.(?:ade|adp|apk|app|appx|bat|cab|chm|cmd|com|cpl|dll|dmg|exe|hta|ins|iso|isp|jar|js|jse|lib|lnk|mde|msc|msi|msp|mst|pif|ps1|scr|sct|sh|sys|vb|vbe|vbs|vhd|vxd|wsc|wsf|wsh)$/i;

function* fileProblems({ files }: ContentInput): Generator<CheckPlace> {
  for (const name of files) {
    if (!REFUSED_FILES.test(name)) continue;
    yield {
      source: 'headers',
      line: 1,
      column: 1,
      excerpt: name.slice(-100),
      note: 'file type that mail servers refuse',
    };
  }
}
