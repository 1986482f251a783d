import type { Client } from '../../client/client.js';
import type { Inspection } from '../../contract/control.js';
import { readAll } from '../control-bytes.js';
import { emailFields } from '../email-output.js';
import { headersOf } from '../message-headers.js';
import { oneLine, safeText } from '../text.js';
import { timeOf } from './pane.js';

/** All of one mail, for a person: its fields, what became of it, where it leads, what it says, and its headers. */
export async function describeMail(client: Client, id: string): Promise<string> {
  const params = { id };
  const [email, inspection, message] = await Promise.all([
    client.call('emails.get', { params }),
    client.control('emails.inspect', { params }),
    readAll(client, 'emails.raw', { params }),
  ]);
  const headers = headersOf(message).map(({ name, value }) => `${oneLine(name)}: ${oneLine(value)}`);
  return [
    emailFields(email).trimEnd(),
    ...section('Recipients', recipientsOf(inspection)),
    ...section('Problems', [inspection.parse_error ?? [], inspection.warnings].flat()),
    ...section('Attachments', attachmentsOf(inspection)),
    ...section('History', historyOf(inspection)),
    ...section('Links', inspection.links),
    ...section(email.text || !email.html ? 'Text' : 'HTML', safeText(email.text || email.html).split('\n')),
    ...section('Headers', headers),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${safeText(line)}`)];
}

/** One recipient is among the fields already. */
function recipientsOf({ recipients }: Inspection): string[] {
  if (recipients.length < 2) return [];
  return recipients.map(({ kind, address, status }) => `${kind.padEnd(3)}  ${oneLine(address)}  ${status}`);
}

function attachmentsOf({ attachments }: Inspection): string[] {
  return attachments.map(({ filename, content_type, size }) => oneLine(`${filename}  ${content_type}  ${size} bytes`));
}

function historyOf({ events }: Inspection): string[] {
  return events.map(({ type, created_at, id }) => `${timeOf(created_at)}  ${type.padEnd(16)}  ${id}`);
}
