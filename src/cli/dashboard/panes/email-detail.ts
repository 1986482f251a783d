import type { Client } from '../../../client/client.js';
import type { Inspection } from '../../../contract/control/inspect-email.js';
import { readControlBytes } from '../../emails/read-bytes.js';
import { joined, type Printable, printedOut } from '../../output/color.js';
import { emailFields } from '../../output/formatters/email.js';
import {
  attachmentLines,
  eventLines,
  linkLines,
  recipientLines,
  section,
} from '../../output/formatters/email-inspection.js';
import { headersOf } from '../../output/formatters/message-headers.js';
import { suppressionLines } from '../../output/formatters/suppression.js';
import { warningLines } from '../../output/formatters/warnings.js';
import { localTimeOfDay } from '../../output/local-time.js';
import { oneLine, safeText } from '../../output/text.js';

/** Describes one email: its fields, outcome, links, content and headers. */
export async function describeEmailDetail(client: Client, id: string): Promise<string> {
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
    ...section('Warnings', warningLines(inspection.warnings)),
    ...section('Suppressed', suppressionLines(inspection.recipients)),
    ...section('Attachments', attachmentLines(inspection)),
    ...section('History', eventLines(inspection, localTimeOfDay)),
    ...section('Links', linkLines(inspection)),
    ...section(email.text || !email.html ? 'Text' : 'HTML', safeText(email.text || email.html).split('\n')),
    ...section('Headers', headers),
  ];
  return printedOut([emailFields(email), joined(lines, '\n')]);
}

/** Returns a list of the recipients if there are several. A single one is among the fields. */
function severalRecipients(inspection: Inspection): Printable[] {
  return inspection.recipients.length < 2 ? [] : recipientLines(inspection, (status) => status);
}
