import type { CapturedEmail } from '../../../contract/control/emails/captured-email.js';
import type { Printable } from '../color.js';
import { fieldLines } from '../fields.js';
import { localTime } from '../local-time.js';
import { oneLine } from '../text.js';
import { section } from './email-inspection.js';

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
