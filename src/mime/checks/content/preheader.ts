import { isSeen } from '../css/computed-styles.js';
import type { Text } from '../html/document.js';
import { type ContentInput, type Finding, plainFinding } from './input.js';

/** Checks the preheader: hidden text at the start, which inboxes show after the subject. */

/** Characters that inboxes show at most. */
const PREVIEW_MAX = 140;
/** White space and characters of no width, with which emails fill up the preheader. */
const FILLER = /(?:\u034f|[\s\u00a0\u00ad\u200b-\u200f\u2007\u2060\ufeff\u3164\uffa0])+/g;

export function checkPreheader({ document, styles, places }: ContentInput): Finding {
  let hidden = '';
  let shown = '';
  let first: Text | undefined;
  for (const text of document.texts) {
    const { parent } = text;
    const words = text.text.replace(FILLER, ' ').trim();
    if (words === '' || !parent || isOutside(parent.name)) continue;
    if (isSeen(styles.of(parent))) {
      if (hidden !== '') break;
      first ??= text;
      shown = `${shown} ${words}`.trim();
    } else if (shown === '') {
      hidden = `${hidden} ${words}`.trim();
    }
    if (Math.max(hidden.length, shown.length) > PREVIEW_MAX) break;
  }
  const quoted = (text: string) => JSON.stringify(text.length > PREVIEW_MAX ? `${text.slice(0, PREVIEW_MAX)}…` : text);
  if (hidden !== '') return plainFinding('preheader', true, `Inboxes show ${quoted(hidden)} after the subject.`);
  if (shown === '') return plainFinding('preheader', false, 'The HTML has no text for inboxes to show.');
  const where = first ? [places.of(first)] : [];
  return plainFinding('preheader', false, `Without a preheader, inboxes show ${quoted(shown)}.`, where);
}

const OUTSIDE = new Set(['head', 'title', 'style', 'script', 'template', 'noscript']);

function isOutside(name: string): boolean {
  return OUTSIDE.has(name);
}
