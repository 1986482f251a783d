import { extend } from 'colord';
import a11y from 'colord/plugins/a11y';
import type { CheckPlace } from '../../contract/control/emails/check.js';
import { isLoopback } from '../../contract/vocabulary/domains.js';
import { GMAIL_HTML_BYTES } from '../../contract/vocabulary/limits.js';
import { plural } from '../../contract/vocabulary/text.js';
import type { CheckInput, ContentChecks } from '../../core/ports.js';
import { findLeftOvers, type LeftOver } from '../../html/left-overs.js';
import { checkImageAlt, checkImageSize } from './content/images.js';
import { checkSpamPatterns } from './content/spam-patterns.js';
import { over } from './css/colors.js';
import { type ComputedStyle, ComputedStyles, isSeen } from './css/computed-styles.js';
import { StyleRules } from './css/style-rules.js';
import { type ContentInput, type Finding, findingOf, plainFinding } from './finding.js';
import { appendPreview, ELEMENTS_MAX, type Element, isPreviewed, readDocument, type Text } from './html/document.js';
import { Found, Places } from './places.js';
import { htmlSupport } from './support/html-support.js';

/** Checks the parts of an email and their sizes. */

export function checkTextPart({ text }: ContentInput): Finding {
  if (text === null) return plainFinding('text-part', null, 'The plain text is not part of the file.');
  const characters = text.trim().length;
  const details = characters > 0 ? `The plain text has ${characters} characters.` : 'The email has HTML only.';
  return plainFinding('text-part', characters > 0, details);
}

export function checkHtmlSize({ html }: ContentInput): Finding {
  const kibibytes = (Buffer.byteLength(html) / 1024).toFixed(1);
  return plainFinding('html-size', Buffer.byteLength(html) <= GMAIL_HTML_BYTES, `The HTML has ${kibibytes} KiB.`);
}

/** Checks for content that runs: mail clients remove it, and filters distrust it. */

const EMBEDDING = new Set(['iframe', 'object', 'embed', 'applet', 'frame', 'portal']);
const URL_ATTRIBUTES = ['href', 'src', 'action', 'formaction', 'xlink:href'];
const DATA_SCRIPTS = /^application\/(?:ld\+)?json$/i;

export function checkActiveContent({ document, places }: ContentInput): Finding {
  const found = new Found();
  for (const element of document.elements) {
    for (const problem of problemsOf(element)) found.add(() => places.of(element, problem));
  }
  return findingOf(
    'active-content',
    found,
    'No scripts, event handlers or embedded pages.',
    'The HTML has content that mail clients remove.',
  );
}

function problemsOf({ name, attributes }: Element): string[] {
  const problems: string[] = [];
  // Structured data is not run; Gmail reads it.
  if (name === 'script' && !DATA_SCRIPTS.test(attributes.get('type') ?? '')) problems.push('script');
  if (EMBEDDING.has(name)) problems.push(`embedded content in <${name}>`);
  for (const attribute of attributes.keys()) {
    if (/^on[a-z]{3,30}$/.test(attribute)) problems.push(`event handler ${attribute}`);
  }
  for (const attribute of URL_ATTRIBUTES) {
    const url = attributes.get(attribute)?.slice(0, 100).replace(/\s/g, '') ?? '';
    if (/^(?:javascript|vbscript):/i.test(url)) problems.push(`script in ${attribute}`);
  }
  if (name === 'meta' && /^refresh$/i.test(attributes.get('http-equiv') ?? '')) problems.push('redirect');
  return problems;
}

/** Checks where links lead, without requesting them. */

const WEB = new Set(['http:', 'https:']);
const OTHERS = /^(?:mailto|tel|sms|geo|maps|facetime|skype|whatsapp|webcal|cid):/i;

export function checkLinkTargets({ document, places }: ContentInput): Finding {
  const found = new Found();
  const links = document.elements.filter(({ name, attributes }) => name === 'a' && !attributes.has('name'));
  for (const link of links) {
    const problem = problemOfTarget(link.attributes.get('href'));
    if (problem !== undefined) found.add(() => places.of(link, problem));
  }
  if (links.length === 0) return plainFinding('link-targets', null, 'The HTML has no links.');
  const total = plural(links.length, 'link');
  return findingOf(
    'link-targets',
    found,
    `${total}, each with a complete URL.`,
    `${found.count} of ${total} without a complete, encrypted URL.`,
  );
}

/** Characters of a URL that are parsed. */
const URL_MAX = 8_192;

function problemOfTarget(href: string | undefined): string | undefined {
  const url = href?.trim().slice(0, URL_MAX);
  if (url === undefined || url === '' || url === '#') return 'no target';
  if (url.startsWith('#') || OTHERS.test(url)) return undefined;
  if (!URL.canParse(url)) return 'not a complete URL';
  const { protocol, hostname } = new URL(url);
  // Scripts are reported as active content.
  if (!WEB.has(protocol)) return undefined;
  return protocol === 'http:' && !isLoopback(hostname) ? 'not encrypted (http)' : undefined;
}

/** Checks the preheader: hidden text at the start, which inboxes show after the subject. */

/** Characters that inboxes show at most. */
const PREVIEW_MAX = 140;

export function checkPreheader({ document, styles, places }: ContentInput): Finding {
  let hidden = '';
  let shown = '';
  let first: Text | undefined;
  for (const text of document.texts) {
    const { parent, isNewWord } = text;
    if (!isPreviewed(parent)) continue;
    const isBlank = appendPreview('', text.text, false) === '';
    const isShown = isBlank ? first !== undefined : isSeen(styles.of(parent));
    if (isShown && hidden !== '') break;
    if (isShown) {
      first ??= text;
      shown = appendPreview(shown, text.text, isNewWord);
    } else if (!first) hidden = appendPreview(hidden, text.text, isNewWord);
    if (Math.max(hidden.length, shown.length) > PREVIEW_MAX) break;
  }
  const quoted = (text: string) =>
    JSON.stringify(text.length > PREVIEW_MAX ? `${text.slice(0, PREVIEW_MAX)}…` : text.trimEnd());
  if (hidden !== '') return plainFinding('preheader', true, `Inboxes show ${quoted(hidden)} after the subject.`);
  if (shown === '') return plainFinding('preheader', false, 'The HTML has no text for inboxes to show.');
  const where = first ? [places.of(first)] : [];
  return plainFinding('preheader', false, `Without a preheader, inboxes show ${quoted(shown)}.`, where);
}

/** Checks the contrast of texts: WCAG 2.2, success criterion 1.4.3. */

extend([a11y]);

const NORMAL_MIN = 4.5;
const LARGE_MIN = 3;
/** Sizes from which a text is large, in CSS pixels: 18 points, or 14 points in bold. */
const LARGE_PX = 24;
const LARGE_BOLD_PX = 18.66;

export function checkContrast({ document, styles, places }: ContentInput): Finding {
  const found = new Found();
  let checked = 0;
  for (const text of document.texts) {
    if (!/[\p{L}\p{N}]/u.test(text.text)) continue;
    const style = styles.of(text.parent);
    if (!isSeen(style)) continue;
    const problem = problemOfContrast(style);
    if (style.background) checked += 1;
    if (problem !== undefined) found.add(() => places.of(text, problem));
  }
  if (checked === 0) return plainFinding('contrast', null, 'The email has no text on a known background.');
  return findingOf(
    'contrast',
    found,
    `${plural(checked, 'text')} with enough contrast in light mode.`,
    `${found.count} of ${plural(checked, 'text')} with too little contrast.`,
  );
}

function problemOfContrast({ color, background, fontSize, bold }: ComputedStyle): string | undefined {
  const seen = background && over(color, background);
  if (!seen) return undefined;
  const min = fontSize >= LARGE_PX || (bold && fontSize >= LARGE_BOLD_PX) ? LARGE_MIN : NORMAL_MIN;
  const ratio = seen.contrast(background);
  if (ratio >= min) return undefined;
  return `${seen.toHex()} on ${background.toHex()} has ${ratio}:1, at least ${min}:1 is needed`;
}

/** Checks of HTML, which do not apply without it. */
const OF_HTML: readonly [id: string, run: (input: ContentInput) => Finding][] = [
  ['active-content', checkActiveContent],
  ['contrast', checkContrast],
  ['image-alt', checkImageAlt],
  ['image-size', checkImageSize],
  ['link-targets', checkLinkTargets],
  ['preheader', checkPreheader],
  ['html-size', checkHtmlSize],
  ['text-part', checkTextPart],
];
/** The score below which the check of HTML support fails. */
const SCORE_MIN = 80;

/** Runs all checks of an email's content. */
export function checkContent(email: CheckInput): ContentChecks {
  const document = readDocument(email.html);
  const rules = new StyleRules(document);
  const places = new Places(email.html, 'html');
  const input: ContentInput = { ...email, document, styles: new ComputedStyles(rules), places };
  const hasHtml = email.html.trim() !== '';
  const support = hasHtml ? htmlSupport(document, rules, places) : null;
  const ofHtml = OF_HTML.map(([id, run]) => (hasHtml ? run(input) : plainFinding(id, null, 'The email has no HTML.')));
  const findings = [supportFinding(support), ...ofHtml, checkPlaceholders(input), checkSpamPatterns(input)];
  return { findings: document.cut ? findings.map(ofBeginning) : findings, support };
}

/** Checks that read the elements and texts of a document. */
const OF_ELEMENTS = new Set(
  'html-support active-content contrast image-alt image-size link-targets spam-patterns'.split(' '),
);

/** Returns a result for HTML of which only the beginning was read: it has not passed. */
function ofBeginning(finding: Finding): Finding {
  if (!OF_ELEMENTS.has(finding.id)) return finding;
  const note = `Only the first ${ELEMENTS_MAX.toLocaleString('en-US')} elements are checked.`;
  return { ...finding, passed: finding.passed === false ? false : null, details: `${note} ${finding.details}` };
}

/** Features that the result names. */
const NAMED_MAX = 3;

function supportFinding(support: ContentChecks['support']): Finding {
  if (!support) return plainFinding('html-support', null, 'The email has no HTML.');
  const { score, features } = support;
  const least = features.filter((each) => each.partial + each.unsupported > 0).slice(0, NAMED_MAX);
  const names = least.map(({ title, supported }) => `${title} (${supported}%)`).join(', ');
  const passed = score >= SCORE_MIN;
  const details = `Score ${score} of 100.${names === '' ? '' : ` Least supported: ${names}.`}`;
  return plainFinding('html-support', passed, details, passed ? [] : least.flatMap(({ where }) => where.slice(0, 1)));
}

/** Checks for placeholders that were not replaced, as `svc emails assert --no-placeholders` does. */
export function checkPlaceholders(input: ContentInput): Finding {
  const found = new Found();
  const subject = input.subject ?? '';
  const text = input.text ?? '';
  const { html } = input;
  // Links are also attributes of the HTML.
  for (const each of findLeftOvers({ subject, text, html, links: [] })) {
    found.add(() => placeOf(each, { subject, text, html }));
  }
  const many = `Found ${plural(found.count, 'placeholder')} or missing value${found.count === 1 ? '' : 's'}.`;
  return findingOf('placeholders', found, 'Found none.', many);
}

/** Returns the position of a value. One that is split by tags or written with references has none in the source. */
function placeOf(
  { value, place, context }: LeftOver,
  { subject, text, html }: Record<'subject' | 'text' | 'html', string>,
): CheckPlace {
  const [source, content] =
    place === 'the subject'
      ? (['subject', subject] as const)
      : place === 'the text'
        ? (['text', text] as const)
        : (['html', html] as const);
  const at = content.indexOf(value);
  const found = new Places(content, source).at(Math.max(0, at), value);
  return { ...found, excerpt: context };
}
