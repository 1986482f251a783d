import { escapeHtml } from '../../contract/vocabulary/helpers/escape-html.js';

/** The sample that fills in missing fields, for a local server. A remote service gets only what the user specified. */
const SAMPLE = {
  from: 'svc <hello@svc.test>',
  subject: 'Hello from svc',
  html: '<p>Hello! This email was sent by <code>svc emails send</code>.</p>',
  text: 'Hello! This email was sent by svc emails send.',
};

/** Returns the request with missing fields filled in from the sample. */
export function withSample(draft: Record<string, unknown>): Record<string, unknown> {
  const { from, subject } = SAMPLE;
  if (draft.template_id !== undefined) return { from, ...draft };
  if (draft.html !== undefined) return { from, subject, ...draft };
  // The API requires HTML, so an email with only text gets the same text as HTML.
  if (typeof draft.text === 'string') return { from, subject, html: `<pre>${escapeHtml(draft.text)}</pre>`, ...draft };
  return { ...SAMPLE, ...draft };
}
