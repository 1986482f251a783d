import { escapeHtml } from '../../contract/service/render-template.js';

/** What a mail says when only a recipient is given, to a local server. A remote one gets nothing that was not asked for. */
const SAMPLE = {
  from: 'svc <hello@svc.test>',
  subject: 'Hello from svc',
  html: '<p>Hello! This email was sent by <code>svc emails send</code>.</p>',
  text: 'Hello! This email was sent by svc emails send.',
};

/** The request, with a sample where it has gaps. */
export function withSample(draft: Record<string, unknown>): Record<string, unknown> {
  const { from, subject } = SAMPLE;
  if (draft.template_id !== undefined) return { from, ...draft };
  if (draft.html !== undefined) return { from, subject, ...draft };
  // The API wants HTML; a mail of text alone gets the same text as such.
  if (typeof draft.text === 'string') return { from, subject, html: `<pre>${escapeHtml(draft.text)}</pre>`, ...draft };
  return { ...SAMPLE, ...draft };
}
