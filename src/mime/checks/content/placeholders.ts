import type { CheckPlace } from '../../../contract/control/emails/check.js';
import { findLeftOvers, type LeftOver } from '../../../html/left-overs.js';
import { Found, Places } from '../places.js';
import { type ContentInput, counted, type Finding, findingOf } from './input.js';

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
  const many = `Found ${counted(found.count, 'placeholder')} or missing value${found.count === 1 ? '' : 's'}.`;
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
