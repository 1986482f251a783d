import { domainOf, normalizeAddress } from '../../contract/vocabulary/addresses.js';
import { rfc5322Date } from '../../contract/vocabulary/instants.js';
import type { EventDeps } from '../context.js';
import type { EmailWithoutBodies, Recipient } from '../model/emails.js';
import type { DsnRequest, ReceivedMessage } from '../model/received.js';
import type { ParsedMessage } from '../ports.js';
import type { Transaction } from '../transaction.js';
import { unreadable } from './inbound/received-email.js';
import { insertUnparsed } from './inbound/requested-email.js';

/** Reports simulated bounces to the sender's envelope address, in a message of its own. RFC 3461, 3462 and 3464. */

/** Larger messages are not returned in a notice, not even their header. */
const RETURNED_BYTES_MAX = 1024 * 1024;
const SENDER = 'Mail Delivery System';
const SUBJECT = 'Undelivered Mail Returned to Sender';
/** RFC 5322 limits lines to 998 characters. */
const LINE_CHARACTERS_MAX = 900;

export interface Bounce {
  email: Pick<EmailWithoutBodies, 'id' | 'workspace'>;
  recipient: Pick<Recipient, 'mailbox'>;
  /** The reply of the receiving server, such as `550 5.1.1 No such user`. */
  smtpResponse: string;
}

/** Adds a notice of a bounce to the received messages, unless the client of the message did not want one. */
export async function noticeBounce(tx: Transaction, { clock, ids }: EventDeps, bounce: Bounce): Promise<void> {
  const { email, recipient } = bounce;
  const envelope = await tx.received.envelopeOf(email.id);
  // A notice has no sender, so that none is sent about a notice.
  if (!envelope || envelope.mailFrom === '' || !isWanted(envelope.dsn, recipient.mailbox)) return;
  const original = envelope.size > RETURNED_BYTES_MAX ? undefined : await tx.received.ofEmail(email.id);
  const now = clock.now();
  const id = ids.next('msg', now);
  const text = noticeText({ ...bounce, ...envelope, original, id, now });
  const bytes = Buffer.from(text, 'latin1');
  const notice = { mailFrom: '', recipients: [envelope.mailFrom] };
  const seq = await tx.received.insert({ ...notice, bytes });
  const { workspace } = email;
  const times = { createdAt: now, capturedAt: clock.systemNow() };
  // A worker parses it: it contains the message of the client.
  const head = { ...notice, ...times, seq, id, size: bytes.length, workspace };
  await insertUnparsed(tx, { head, header: noticeHeader(envelope.mailFrom), attempts: 0, sentTo: 1 });
}

/** Returns whether a failure is to be reported, which is the default. RFC 3461 section 4.1. */
function isWanted(dsn: DsnRequest | undefined, mailbox: string): boolean {
  return requestFor(dsn, mailbox)?.notify?.includes('FAILURE') ?? true;
}

function requestFor(dsn: DsnRequest | undefined, mailbox: string) {
  return dsn?.recipients.find(({ address }) => normalizeAddress(address) === mailbox);
}

/** Returns what the header of a notice says, for its email until it is parsed. */
function noticeHeader(mailFrom: string): ParsedMessage {
  const fromMailbox = `mailer-daemon@${ascii(domainOf(mailFrom))}`;
  return {
    ...unreadable({ mailFrom: '', recipients: [] }, null),
    content: {
      ...{ from: `${SENDER} <${fromMailbox}>`, fromMailbox, subject: SUBJECT },
      ...{ replyTo: null, html: '', text: '', parseError: null },
    },
    to: [normalizeAddress(mailFrom)],
  };
}

interface Notice extends Bounce {
  mailFrom: string;
  dsn?: DsnRequest;
  original: ReceivedMessage | undefined;
  id: string;
  now: number;
}

/** Returns the notice. Each character is one byte. */
function noticeText(notice: Notice): string {
  const { mailFrom, recipient, smtpResponse, id, now } = notice;
  const domain = ascii(domainOf(mailFrom));
  const boundary = `report-${id}`;
  const part = (type: string, content: string) => `--${boundary}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
  return [
    `From: ${SENDER} <mailer-daemon@${domain}>\r\n`,
    `To: <${ascii(mailFrom)}>\r\n`,
    `Subject: ${SUBJECT}\r\n`,
    `Date: ${rfc5322Date(now)}\r\n`,
    `Message-ID: <${id}@${domain}>\r\n`,
    'Auto-Submitted: auto-replied\r\n',
    'MIME-Version: 1.0\r\n',
    `Content-Type: multipart/report; report-type=delivery-status;\r\n boundary="${boundary}"\r\n\r\n`,
    part(
      'text/plain; charset=us-ascii',
      `Your message could not be delivered to <${ascii(recipient.mailbox)}>:\r\n\r\n${ascii(smtpResponse)}\r\n`,
    ),
    part('message/delivery-status', statusFields(notice, domain)),
    returnedPart(notice, part),
    `--${boundary}--\r\n`,
  ].join('');
}

function statusFields({ dsn, recipient, smtpResponse, now }: Notice, domain: string): string {
  const request = requestFor(dsn, recipient.mailbox);
  const status = /^[45]\d\d ([45]\.\d{1,3}\.\d{1,3})\b/.exec(smtpResponse)?.[1] ?? '5.0.0';
  return [
    `Reporting-MTA: dns; ${domain}`,
    ...(dsn?.envid ? [`Original-Envelope-Id: ${ascii(dsn.envid)}`] : []),
    '',
    ...(request?.orcpt ? [`Original-Recipient: ${ascii(request.orcpt)}`] : []),
    `Final-Recipient: rfc822; ${ascii(recipient.mailbox)}`,
    'Action: failed',
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${ascii(smtpResponse)}`,
    `Last-Attempt-Date: ${rfc5322Date(now)}`,
    '',
  ].join('\r\n');
}

/** Returns the part with the message, or with its header if the client did not ask for more. */
function returnedPart({ dsn, original }: Notice, part: (type: string, content: string) => string): string {
  if (!original) return '';
  const text = Buffer.from(original.bytes).toString('latin1');
  if (dsn?.ret === 'FULL') return part('message/rfc822', text);
  const ends = ['\r\n\r\n', '\n\n'].map((end) => text.indexOf(end)).filter((end) => end >= 0);
  return part('text/rfc822-headers', `${text.slice(0, Math.min(...ends, text.length))}\r\n`);
}

/** Returns text for one line of a header field: other characters would end it, or need an encoding. */
function ascii(text: string): string {
  return text.slice(0, LINE_CHARACTERS_MAX).replace(/[^\x20-\x7e]/g, '?');
}
