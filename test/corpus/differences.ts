import type { Mailbox, Part, Raised, SecondReading } from './second-parser.js';
import type { SvcReading } from './svc-reading.js';

/** Compares how svc and the second parser read a message, in a common form. */

export type Field = 'subject' | 'from' | 'replyTo' | 'recipients' | 'text' | 'html' | 'attachments';

export interface Difference {
  field: Field;
  svc: string;
  second: string;
}

/** The mailbox that every message is delivered to, besides those that its headers name. */
const ENVELOPE_RECIPIENT = 'corpus@example.test';
export const ENVELOPE_SENDER = 'app@example.test';

export function differencesBetween(svc: SvcReading, second: SecondReading): Difference[] {
  const found: Difference[] = [];
  const compare = (field: Field, ours: string, theirs: string) => {
    if (ours !== theirs) found.push({ field, svc: ours, second: theirs });
  };
  if (!isRaised(second.subjects)) {
    compare('subject', line(svc.subject), line(second.subjects[0] ?? ''));
  }
  if (!isRaised(second.From)) {
    // A message without a sender gets the one of its envelope. Of several fields, the first counts.
    const [sender = ['', ENVELOPE_SENDER] as Mailbox] = second.From[0] ?? [];
    compare('from', line(svc.from), shown(sender));
  }
  if (!isRaised(second['Reply-To'])) {
    const mailboxes = second['Reply-To'][0] ?? [];
    compare('replyTo', line(svc.replyTo ?? ''), mailboxes.map(shown).join(', '));
  }
  if (!isRaised(second.To) && !isRaised(second.Cc)) {
    const ours = svc.recipients.map(({ kind, mailbox }) => `${kind} ${mailbox}`);
    compare('recipients', ours.sort().join('\n'), expectedRecipients(second).sort().join('\n'));
  }
  if (!isRaised(second.parts)) {
    const bodies = second.parts.filter(isBody);
    const joined = (all: Part[]) => body(all.map(({ text }) => text ?? '').join('\n'));
    compare('text', body(svc.text), joined(bodies.filter(({ type }) => type !== 'text/html')));
    compare('html', body(svc.html), joined(bodies.filter(({ type }) => type === 'text/html')));
    const files = second.parts.filter((part) => !isBody(part));
    compare('attachments', listed(svc.attachments, files), listed(files.map(asAttachment), files));
  }
  return found;
}

/** Returns the mailboxes that a message is delivered to: those of To and Cc that SMTP can express, and one more. */
export function envelopeOf(second: SecondReading): string[] {
  return [...new Set([ENVELOPE_RECIPIENT, ...named(second.To), ...named(second.Cc)])].slice(0, 20);
}

export function isRaised(value: unknown): value is Raised {
  return typeof value === 'object' && value !== null && 'raised' in value;
}

/**
 * Returns each mailbox of the envelope with the header that names it, `to` before `cc`; the others are blind copies.
 */
function expectedRecipients(second: SecondReading): string[] {
  const to = new Set(named(second.To));
  const cc = new Set(named(second.Cc));
  const envelope = envelopeOf(second);
  if (!envelope.some((mailbox) => to.has(mailbox) || cc.has(mailbox)))
    return envelope.map((mailbox) => `to ${mailbox}`);
  return envelope.map((mailbox) => `${to.has(mailbox) ? 'to' : cc.has(mailbox) ? 'cc' : 'bcc'} ${mailbox}`);
}

function named(header: Mailbox[][] | Raised): string[] {
  const addresses = isRaised(header) ? [] : header.flat().map(([, address]) => address);
  return addresses.filter(isPlain).map((address) => address.toLowerCase());
}

function isPlain(address: string): boolean {
  return /^[\w.+-]{1,60}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(address) && !/\.\.|\.@|^\./.test(address);
}

/** Returns whether a part is shown as text. Everything else is an attachment, also inline text with a file name. */
function isBody({ type, disposition, filename }: Part): boolean {
  const isText = ['text/plain', 'text/html', 'message/delivery-status'].includes(type);
  return isText && (disposition === null || (disposition === 'inline' && !filename));
}

/** Returns a mailbox as svc writes it: a name that only repeats the address is left out. */
function shown([phrase, address]: Mailbox): string {
  const name = line(phrase);
  if (address === '<>' || address === '') return name;
  if (name === '' || name === address) return address;
  return `${/[<>@,;:"\\[\]().]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name} <${address}>`;
}

function line(value: string): string {
  return value.replace(/\s+/g, ' ').trim();
}

/** Removes line ends, trailing blanks and blank lines, which are not compared: parts are joined there. */
function body(value: string): string {
  return value
    .replace(/\r\n?/g, '\n')
    .replaceAll('<br/>\n', '\n')
    .replace(/[ \t]+(?=\n|$)/g, '')
    .replace(/\n+/g, '\n')
    .trim();
}

function asAttachment({ filename, type, disposition, sha256 }: Part, index: number): SvcReading['attachments'][number] {
  return {
    filename: filename || `part-${index + 1}`,
    type,
    disposition: disposition === 'inline' ? 'inline' : 'attachment',
    sha256: sha256 ?? '',
  };
}

/** Lists attachments. The bytes of an enclosed message are not compared: the second parser has rewritten them. */
function listed(attachments: SvcReading['attachments'], files: Part[]): string {
  return attachments
    .map(({ filename, type, disposition, sha256 }, index) =>
      JSON.stringify([filename, type, disposition, files[index]?.sha256 === null ? '' : sha256]),
    )
    .join('\n');
}
