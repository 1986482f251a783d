import type { Element } from '../html/document.js';
import { Found } from '../places.js';
import { type ContentInput, type Finding, findingOf } from './input.js';

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
