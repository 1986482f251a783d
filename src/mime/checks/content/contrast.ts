import { extend } from 'colord';
import a11y from 'colord/plugins/a11y';
import { over } from '../css/colors.js';
import { type ComputedStyle, isSeen } from '../css/computed-styles.js';
import { Found } from '../places.js';
import { type ContentInput, counted, type Finding, findingOf, plainFinding } from './input.js';

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
    const problem = problemOf(style);
    if (style.background) checked += 1;
    if (problem !== undefined) found.add(() => places.of(text, problem));
  }
  if (checked === 0) return plainFinding('contrast', null, 'The email has no text on a known background.');
  return findingOf(
    'contrast',
    found,
    `${counted(checked, 'text')} with enough contrast.`,
    `${found.count} of ${counted(checked, 'text')} with too little contrast.`,
  );
}

function problemOf({ color, background, fontSize, bold }: ComputedStyle): string | undefined {
  const seen = background && over(color, background);
  if (!seen) return undefined;
  const min = fontSize >= LARGE_PX || (bold && fontSize >= LARGE_BOLD_PX) ? LARGE_MIN : NORMAL_MIN;
  const ratio = seen.contrast(background);
  if (ratio >= min) return undefined;
  return `${seen.toHex()} on ${background.toHex()} has ${ratio}:1, at least ${min}:1 is needed`;
}
