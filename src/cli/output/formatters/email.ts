import type { CapturedEmail } from '../../../contract/control/emails/captured-email.js';
import type { EmailDetail } from '../../../contract/service/emails.js';
import type { Printable } from '../color.js';
import { fieldLines } from '../fields.js';
import { localTime } from '../local-time.js';
import { oneLine } from '../text.js';
import { section } from './email-inspection.js';

/** Formats one email: its fields, then its text. */
export function describeEmail(email: EmailDetail, text: string): Printable {
  return [emailFields(email), '\n', text, '\n'];
}

/** Formats an email's fields, one per line, without its content. */
function emailFields(email: EmailDetail): Printable {
  return fieldLines({
    id: email.id,
    status: email.status,
    from: email.from,
    to: email.to,
    subject: email.subject,
    created: localTime(email.created_at),
    sent: localTime(email.sent_at),
    delivered: localTime(email.delivered_at),
    opened: localTime(email.opened_at),
    opens: email.opens_count || null,
    clicks: email.clicks_count || null,
    bounced: email.bounce_reason,
    template: email.template_id,
    tags: email.tags.join(', '),
  });
}

/** Formats a captured email: its fields, its text, and what was found in it. */
export function describeCapturedEmail(email: CapturedEmail): Printable {
  const to = (kind: string) =>
    email.recipients
      .filter((recipient) => recipient.kind === kind)
      .map(({ address }) => address)
      .join(', ');
  const fields = fieldLines({
    id: email.id,
    status: email.status,
    from: email.from,
    to: to('to'),
    cc: to('cc'),
    bcc: to('bcc'),
    'reply-to': email.reply_to,
    subject: email.subject,
    received: localTime(email.captured_at),
    tags: email.tags.join(', '),
    'added tags': email.added_tags.join(', '),
  });
  const sections = [
    ...section(
      'Codes',
      email.codes.map(({ value }) => oneLine(value)),
    ),
    ...section(
      'Links',
      email.links.map(({ href, kind }) => oneLine(kind === 'other' ? href : `${href}  (${kind})`)),
    ),
    ...section(
      'Attachments',
      email.attachments.map(({ filename, content_type, size }) =>
        oneLine(`${filename}  ${content_type}  ${size} bytes`),
      ),
    ),
  ];
  const text = (email.text || email.html_text).trim();
  return [fields, text === '' ? '' : ['\n', text, '\n'], sections.map((line) => [line, '\n'])];
}

/** What a check of `svc doctor` found. */
export interface Finding {
  check: string;
  ok: boolean;
  found: string;
  /** How to resolve it; null when nothing is wrong. */
  fix: string | null;
}

/** Renders a finding of `svc doctor`, with what to do about it on a line of its own. */
export function describeFinding({ check, ok, found, fix }: Finding): string {
  const line = `${ok ? 'ok     ' : 'PROBLEM'}  ${check.padEnd(14)}  ${oneLine(found)}\n`;
  return fix === null ? line : `${line}${' '.repeat(25)}${oneLine(fix)}\n`;
}
