import type { SendEmail } from '../../../contract/service/emails.js';
import { checkVariables, render } from '../../../contract/service/render-template.js';
import type { RenderedTemplate } from '../../../contract/service/templates.js';
import { invalidField, ServiceError } from '../../../contract/vocabulary/errors.js';
import {
  type Outcome,
  outcomes,
  readOutcome,
  SIMULATE_HEADER,
  UPSTREAM_ERROR,
} from '../../../contract/vocabulary/outcomes.js';
import { shortened } from '../../../contract/vocabulary/text.js';
import type { CallContext } from '../../context.js';
import { leftoverPlaceholders, unrenderedPlaceholders, unusedVariables } from '../../mail/content-warnings.js';
import type { Attachment } from '../../model/contents.js';

/** Reads the parts of a request to send an email. */

/** Returns the outcome that the caller requests for all recipients, or a failure of the call (gap 48). */
export function readSimulate(value: string | undefined): Outcome | typeof UPSTREAM_ERROR | undefined {
  if (value === undefined) return undefined;
  if (value.trim().toLowerCase() === UPSTREAM_ERROR) return UPSTREAM_ERROR;
  const outcome = readOutcome(value);
  if (!outcome) throw invalidField(SIMULATE_HEADER, `must be one of ${[...outcomes, UPSTREAM_ERROR].join(', ')}`);
  return outcome;
}

/** Returns the content of the email, from the request or its template. Announces what the content lacks. */
export async function contentOf(body: SendEmail, context: CallContext): Promise<RenderedTemplate> {
  if (body.template_id === undefined) {
    if (body.variables) checkVariables(body.variables);
    const content = { subject: body.subject ?? '', html: body.html ?? '', text: body.text ?? '' };
    context.warn(...unusedVariables(body.variables), ...leftoverPlaceholders(content));
    return content;
  }
  const template = await context.store.read.templates.find(body.template_id);
  if (!template) {
    throw new ServiceError('template_not_found', `Template ${JSON.stringify(shortened(body.template_id))} not found.`, [
      { path: 'template_id', message: 'template not found' },
    ]);
  }
  const source = { subject: body.subject ?? template.subject, html: template.html, text: template.text };
  const rendered = render(source, body.variables ?? {});
  context.warn(...unrenderedPlaceholders(source));
  return rendered;
}

/** Returns the number of addresses, with repeated ones. */
export function addressesIn({ to, cc = [], bcc = [] }: SendEmail): number {
  return [to, cc, bcc].flat().length;
}

export function attachmentsOf(body: SendEmail): Attachment[] {
  return (body.attachments ?? []).map(({ filename, content, contentType }) => ({
    filename,
    contentType,
    contentId: null,
    disposition: 'attachment',
    content: Buffer.from(content, 'base64'),
  }));
}

/** Returns the size of an email's contents in bytes. */
export function sizeOf({ subject, html, text }: RenderedTemplate, attachments: readonly Attachment[]): number {
  const texts = Buffer.byteLength(subject) + Buffer.byteLength(html) + Buffer.byteLength(text);
  return attachments.reduce((sum, { content }) => sum + content.byteLength, texts);
}
