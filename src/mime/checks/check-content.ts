import type { CheckInput, ContentChecks } from '../../core/ports.js';
import { checkActiveContent } from './content/active-content.js';
import { checkContrast } from './content/contrast.js';
import { checkImageAlt, checkImageSize } from './content/images.js';
import { type ContentInput, type Finding, plainFinding } from './content/input.js';
import { checkLinkTargets } from './content/link-targets.js';
import { checkHtmlSize, checkTextPart } from './content/parts.js';
import { checkPlaceholders } from './content/placeholders.js';
import { checkPreheader } from './content/preheader.js';
import { checkSpamPatterns } from './content/spam-patterns.js';
import { ComputedStyles } from './css/computed-styles.js';
import { StyleRules } from './css/style-rules.js';
import { readDocument } from './html/document.js';
import { Places } from './places.js';
import { htmlSupport } from './support/html-support.js';

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
  return {
    findings: [supportFinding(support), ...ofHtml, checkPlaceholders(input), checkSpamPatterns(input)],
    support,
  };
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
