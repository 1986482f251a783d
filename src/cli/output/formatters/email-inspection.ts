import type { Inspection } from '../../../contract/control/emails/inspect.js';
import { shortened } from '../../../contract/vocabulary/text.js';
import { colorOf, type Printable, paint } from '../color.js';
import { fieldLines } from '../fields.js';
import { localTime } from '../local-time.js';
import { oneLine } from '../text.js';
import { suppressionLines } from './suppression.js';
import { warningLines } from './warning-report.js';

/** Formats what only a local server reports about an email. Every line is safe to print. */

/** Formats an inspection. `command` completes a command line for the server in use. */
export function describeInspection(inspection: Inspection, command: (line: string) => string): Printable {
  const { id, status, origin, from, reply_to, scheduled_at, parsing, parse_error } = inspection;
  const subject = inspection.subject || subjectMark(inspection);
  const shown = (status: string) => paint(status, colorOf(status));
  const fields = fieldLines({
    id,
    status,
    origin,
    from,
    'reply-to': reply_to,
    subject,
    scheduled: localTime(scheduled_at),
  });
  const sections = [
    ...section('Recipients', recipientLines(inspection, shown)),
    ...section('Suppressed', suppressionLines(inspection.recipients, command)),
    ...section('Envelope', envelopeLines(inspection)),
    ...section('SMTP session', sessionLines(inspection, command)),
    ...section('Attachments', attachmentLines(inspection)),
    ...section('Codes', codeLines(inspection)),
    ...section('Links', linkLines(inspection)),
    ...section('Warnings', warningLines(inspection.warnings)),
    ...section('Releases', releaseLines(inspection)),
    ...section(
      'Parsing',
      parsing ? ['The message is still being parsed. Only its envelope and header are known.'] : [],
    ),
    ...section('Parse error', parse_error === null ? [] : [oneLine(parse_error)]),
    ...section('Events', eventLines(inspection)),
  ];
  return [fields, sections.map((line) => [line, '\n'])];
}

/** Returns a title and its lines, with an empty line before it; an empty array without lines. */
export function section(title: string, lines: readonly Printable[]): Printable[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => ['  ', line])];
}

export function recipientLines({ recipients }: Inspection, shown: (status: string) => Printable): Printable[] {
  const width = Math.max(...recipients.map(({ status }) => status.length));
  return recipients.map(({ kind, address, status }) => {
    const space = ' '.repeat(width - status.length);
    return [`${kind.padEnd(3)}  `, shown(status), `${space}  ${oneLine(address)}`];
  });
}

/** Returns the addresses of the SMTP envelope, which can differ from the headers. */
function envelopeLines({ envelope }: Inspection): string[] {
  if (!envelope) return [];
  const { mail_from, rcpt_to, size, dsn } = envelope;
  const parameters = (values: Record<string, string | null | undefined>) =>
    Object.entries(values).flatMap(([name, value]) => (value ? [` ${name}=${oneLine(value)}`] : []));
  const recipient = (address: string) => {
    const { notify, orcpt } = dsn?.recipients.find((each) => each.address === address) ?? {};
    return parameters({ NOTIFY: notify?.join(','), ORCPT: orcpt }).join('');
  };
  return [
    `MAIL FROM:<${oneLine(mail_from)}>${parameters({ RET: dsn?.ret, ENVID: dsn?.envid }).join('')}`,
    ...rcpt_to.map((address) => `RCPT TO:<${oneLine(address)}>${recipient(address)}`),
    `${size} bytes`,
  ];
}

/** Returns the command that shows the session of a message, and the API key of its login. */
function sessionLines({ smtp_session, smtp_key_id }: Inspection, command: (line: string) => string): string[] {
  return [
    ...(smtp_session === null ? [] : [command(`smtp sessions ${smtp_session}`)]),
    ...(smtp_key_id === null ? [] : [`API key ${smtp_key_id}`]),
  ];
}

export function attachmentLines({ attachments }: Inspection): string[] {
  return attachments.map(({ filename, content_type, size, content_id }) => {
    const reference = content_id === null ? '' : `  cid:${content_id}`;
    return oneLine(`${filename}  ${content_type}  ${size} bytes${reference}`);
  });
}

/** Characters of a context or of a link's text. */
const CONTEXT_CHARACTERS = 60;

/** Returns the one-time codes, each with the text around it. */
export function codeLines({ codes }: Inspection): Printable[] {
  const width = Math.max(...codes.map(({ value }) => value.length));
  return codes.map(({ value, context }) => {
    const around = shortened(oneLine(context), CONTEXT_CHARACTERS);
    return [paint(value, 'good'), `${' '.repeat(width - value.length)}  ${around}`];
  });
}

/** Returns the links with their kinds. The text of a link is shown if it is not the URL. */
export function linkLines({ links }: Inspection): Printable[] {
  const width = Math.max(...links.map(({ kind }) => kind.length));
  return links.map(({ text, href, kind }) => {
    const shown = text === href || text === '' ? '' : `  ${shortened(oneLine(text), CONTEXT_CHARACTERS)}`;
    return `${kind.padEnd(width)}  ${oneLine(href)}${shown}`;
  });
}

/** Formats attempts to release the email: time, result and recipients, server and reply. */
function releaseLines({ releases }: Inspection): string[] {
  return releases.flatMap(({ released_at, relay, rcpt_to, reply, error, rejected }) => [
    oneLine(`${localTime(released_at)}  ${error === null ? 'released' : 'failed'}  ${rcpt_to.join(', ')}`),
    `  ${oneLine(`${relay}  ${error ?? reply ?? ''}`)}`,
    ...rejected.map(({ address, reply }) => `  ${oneLine(`${address} refused: ${reply}`)}`),
  ]);
}

/** Formats events in the order in which they happened: type, recipient, and the reason or URL. */
function eventLines({ events }: Inspection): string[] {
  return events.map(({ type, created_at, id, data }) => {
    const what = ['to', 'bounce_type', 'complaint_type', 'reason', 'url'].flatMap((name) => data[name] ?? []);
    return oneLine([localTime(created_at), type.padEnd(16), id, ...what].join('  '));
  });
}

/** Reads the header section of a message. RFC 5322, section 2.2. */

export interface MessageHeader {
  name: string;
  value: string;
}

/** Returns every header in order. Folded lines are joined; encoded words stay encoded. */
export function headersOf(message: Uint8Array): MessageHeader[] {
  const text = new TextDecoder().decode(message);
  const [section = ''] = text.split(/\r?\n\r?\n/, 1);
  return section
    .replace(/\r?\n(?=[ \t])/g, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }];
    });
}

/** Returns the text to show in place of the empty subject of a message that is not parsed. */
export function subjectMark({ parsing, parse_error }: ParseState): string {
  if (parsing) return '(parsing)';
  return parse_error === null ? '' : '(cannot be parsed)';
}

/** Finds out why a message received over SMTP has no content. Only a local server's control API reports it. */

export type ParseState = Pick<Inspection, 'parsing' | 'parse_error'>;
