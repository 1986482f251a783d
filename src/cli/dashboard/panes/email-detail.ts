import type { Client } from '../../../client/client.js';
import type { Inspection } from '../../../contract/control/emails/inspect.js';
import type { EmailDetail } from '../../../contract/service/emails.js';
import { readControlBytes } from '../../emails/page/save-email.js';
import { joined, type Printable, printedOut } from '../../output/color.js';
import { fieldLines } from '../../output/fields.js';
import {
  attachmentLines,
  codeLines,
  headersOf,
  linkLines,
  recipientLines,
  section,
} from '../../output/formatters/email-inspection.js';
import { suppressionLines } from '../../output/formatters/suppression.js';
import { warningLines } from '../../output/formatters/warning-report.js';
import { localTime, localTimeOfDay } from '../../output/local-time.js';
import { type CommandLine, htmlText, oneLine, safeText } from '../../output/text.js';

/** Describes one email: its fields, outcome, content, links and headers. */
export async function describeEmailDetail(client: Client, id: string, command: CommandLine): Promise<string> {
  const params = { id };
  const [email, inspection, message] = await Promise.all([
    client.call('emails.get', { params }),
    client.control('emails.inspect', { params }),
    readControlBytes(client, 'emails.raw', { params }),
  ]);
  const headers = headersOf(message).map(({ name, value }) => `${oneLine(name)}: ${oneLine(value)}`);
  const lines = [
    ...section('Recipients', severalRecipients(inspection)),
    ...section('Problems', inspection.parse_error === null ? [] : [oneLine(inspection.parse_error)]),
    ...section('History', historyLines(inspection)),
    ...section('Suppressed', suppressionLines(inspection.recipients, command)),
    ...section('Warnings', warningLines(inspection.warnings)),
    ...section('Attachments', attachmentLines(inspection)),
    ...contentLines(email),
    ...section('Codes', codeLines(inspection)),
    ...section('Links', linkLines(inspection)),
    ...section('Headers', headers),
  ];
  return printedOut([detailFields(email, inspection), joined(lines, '\n')]);
}

function detailFields(email: EmailDetail, { scheduled_at }: Inspection): Printable {
  return fieldLines({
    subject: email.subject,
    status: email.status,
    from: email.from,
    to: email.to,
    created: localTime(email.created_at),
    scheduled: email.status === 'scheduled' ? localTime(scheduled_at) : null,
    opens: email.opens_count || null,
    clicks: email.clicks_count || null,
    bounced: email.bounce_reason,
    template: email.template_id,
    tags: email.tags.join(', '),
    id: email.id,
  });
}

/** Returns the events of an email: time, type, the recipient if there are several, and the reason or URL. */
function historyLines({ events, recipients }: Inspection): string[] {
  const details = [...(recipients.length > 1 ? ['to'] : []), 'bounce_type', 'complaint_type', 'reason', 'url'];
  return events.map(({ type, created_at, data }) => {
    const what = details.flatMap((name) => data[name] ?? []);
    return oneLine([localTimeOfDay(created_at), type.padEnd(16), ...what].join('  ')).trimEnd();
  });
}

/** Larger HTML is converted up to here only: the server's process does the work. */
const HTML_CHARACTERS_MAX = 200_000;

function contentLines({ text, html }: EmailDetail): Printable[] {
  if (text || !html) return section('Text', safeText(text).split('\n'));
  return section('Text of the HTML', safeText(htmlText(html.slice(0, HTML_CHARACTERS_MAX))).split('\n'));
}

/** Returns a list of the recipients if there are several. A single one is among the fields. */
function severalRecipients(inspection: Inspection): Printable[] {
  return inspection.recipients.length < 2 ? [] : recipientLines(inspection, (status) => status);
}
