import type { EmailDetail } from '../../../contract/service/emails.js';
import type { Printable } from '../color.js';
import { fieldLines } from '../fields.js';
import { localTime } from '../local-time.js';

/** Formats one email: its fields, then its text. */
export function describeEmail(email: EmailDetail): Printable {
  return [emailFields(email), '\n', email.text || email.html, '\n'];
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
