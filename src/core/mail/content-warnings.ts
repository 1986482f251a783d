import type { TemplateSource } from '../../contract/service/render-template.js';
import type { Variables } from '../../contract/service/variables.js';
import {
  COMMON_ATTACHMENTS_BYTES,
  COMMON_HTML_BYTES,
  COMMON_RECIPIENTS_MAX,
  COMMON_SCHEDULE_AHEAD_MS,
  MEBIBYTE,
} from '../../contract/vocabulary/limits.js';
import { brokenPlaceholdersIn } from '../../contract/vocabulary/placeholders.js';
import { firstFew, shortened, utf8Length } from '../../contract/vocabulary/text.js';
import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';
import type { Attachment } from '../model/contents.js';

/** Finds what the service may refuse in the content of an email. Gaps 34, 35 and 40. */

interface Sizes {
  recipients: number;
  attachments: readonly Pick<Attachment, 'content'>[];
  html: string;
}

/** Returns a warning for each size that exceeds what providers commonly accept. */
export function sizeWarnings({ recipients, attachments, html }: Sizes): ServiceWarning[] {
  const found: ServiceWarning[] = [];
  if (recipients > COMMON_RECIPIENTS_MAX) {
    const message = `the email has more than ${COMMON_RECIPIENTS_MAX} recipients`;
    found.push({ code: 'many_recipients', path: 'to', message });
  }
  const bytes = attachments.reduce((sum, { content }) => sum + content.byteLength, 0);
  if (bytes > COMMON_ATTACHMENTS_BYTES) {
    const message = `the attachments have more than ${COMMON_ATTACHMENTS_BYTES / MEBIBYTE} MiB in total`;
    found.push({ code: 'large_attachments', path: 'attachments', message });
  }
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  if (html.length * 3 > COMMON_HTML_BYTES && utf8Length(html) > COMMON_HTML_BYTES) {
    const message = `the HTML has more than ${COMMON_HTML_BYTES / MEBIBYTE} MiB`;
    found.push({ code: 'large_html', path: 'html', message });
  }
  return found;
}

/** Returns a warning if an email is scheduled further ahead than providers commonly accept. */
export function scheduleWarnings(scheduledAt: number | null, now: number): ServiceWarning[] {
  if (scheduledAt === null || scheduledAt <= now + COMMON_SCHEDULE_AHEAD_MS) return [];
  return [{ code: 'far_schedule', path: 'scheduled_at', message: 'is more than 30 days ahead' }];
}

/** Returns a warning if variables are given without a template. */
export function unusedVariables(variables: Variables | undefined): ServiceWarning[] {
  if (variables === undefined) return [];
  return [{ code: 'unused_variables', path: 'variables', message: 'are not used, because template_id is missing' }];
}

const PLACEHOLDER = /\{\{[^{}]*\}\}/g;
/** Maximum number of characters of a placeholder to name. */
const NAMED_CHARACTERS = 60;
/** Maximum number of placeholders to search a part for. */
const SEARCHED_MAX = 1_000;

/** Returns a warning for each part of an email without a template that contains `{{…}}`. */
export function leftoverPlaceholders(parts: TemplateSource): ServiceWarning[] {
  return warningsIn(parts, (text) => {
    const found: string[] = [];
    for (const [placeholder] of text.matchAll(PLACEHOLDER)) {
      found.push(placeholder.slice(0, NAMED_CHARACTERS + 1));
      if (found.length === SEARCHED_MAX) break;
    }
    return found;
  });
}

/** Returns a warning for each part of a template that contains `{{…}}` which rendering does not replace. */
export function unrenderedPlaceholders(template: TemplateSource): ServiceWarning[] {
  return warningsIn(template, (text) => {
    const found: string[] = [];
    let end = -1;
    for (const index of brokenPlaceholdersIn(text)) {
      // Searches again only after the last end: a text may start many placeholders and end none.
      if (end < index) end = indexOrEnd(text.indexOf('}}', index));
      found.push(text.slice(index, Math.min(end + 2, index + NAMED_CHARACTERS + 1)));
      if (found.length === SEARCHED_MAX) break;
    }
    return found;
  });
}

function indexOrEnd(index: number): number {
  return index === -1 ? Number.POSITIVE_INFINITY : index;
}

function warningsIn(
  { subject, html, text }: TemplateSource,
  placeholdersIn: (text: string) => string[],
): ServiceWarning[] {
  const found: ServiceWarning[] = [];
  for (const [path, content] of Object.entries({ subject, html, text })) {
    if (!content.includes('{{')) continue;
    const placeholders = placeholdersIn(content);
    if (placeholders.length === 0) continue;
    const names = Array.from(new Set(placeholders), (name) => shortened(name, NAMED_CHARACTERS));
    const named = firstFew(names, placeholders.length < SEARCHED_MAX);
    const message = `contains ${named}, which ${names.length === 1 ? 'is' : 'are'} not replaced`;
    found.push({ code: 'leftover_placeholder', path, message });
  }
  return found;
}
