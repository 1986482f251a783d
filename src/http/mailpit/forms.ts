import { createHash } from 'node:crypto';
import addressparser from 'nodemailer/lib/addressparser';
import { INSTANT_MAX } from '../../contract/vocabulary/instants.js';
import { timestamp } from '../../core/context.js';
import type { Attachment, AttachmentInfo } from '../../core/model/contents.js';
import type { SearchDocument } from '../../core/model/search.js';

/** Describes emails in the forms of Mailpit's API. */

interface Mailbox {
  Name: string;
  Address: string;
}

const SNIPPET_BYTES = 200;
/** The bits of a byte in UTF-8 that continues a character. */
const [CONTINUATION_MASK, CONTINUATION] = [0xc0, 0x80];

/** Returns an email as an item of a list. Without addresses, a field is null, and Reply-To is what is given. */
export function summaryOf(email: SearchDocument, attachments: readonly AttachmentInfo[], noReplyTo: [] | null) {
  const { id, read, subject, createdAt, tags, size, hasHtml, text, extracts } = email;
  const addresses = addressesOf(email);
  return {
    ID: id,
    MessageID: messageId(email),
    Read: read,
    From: addresses.From,
    To: orNull(addresses.To),
    Cc: orNull(addresses.Cc),
    Bcc: orNull(addresses.Bcc),
    ReplyTo: orNull(addresses.ReplyTo) ?? noReplyTo,
    Subject: subject,
    Created: timestamp(createdAt),
    Username: '',
    Tags: sorted(tags),
    Size: size,
    Attachments: attachments.filter(({ disposition }) => disposition === 'attachment').length,
    Snippet: snippetOf(hasHtml ? (extracts?.htmlText ?? '') : text),
  };
}

/** Returns an email with its content. `mailFrom` is the sender in the envelope; undefined without one. */
export function messageOf(
  email: SearchDocument,
  html: string,
  mailFrom: string | undefined,
  attachments: readonly (Attachment & { position: number })[],
) {
  const { id, subject, createdAt, tags, size } = email;
  const addresses = addressesOf(email);
  const ofDisposition = (wanted: Attachment['disposition']) =>
    attachments.filter(({ disposition }) => disposition === wanted).map(attachmentOf);
  return {
    ID: id,
    MessageID: messageId(email),
    ...addresses,
    ReturnPath: mailFrom || addresses.From.Address,
    Subject: subject,
    ListUnsubscribe: listUnsubscribe(email),
    Date: dateOf(first(email, 'date')) ?? timestamp(createdAt),
    Tags: sorted(tags),
    Username: '',
    Text: textOf(email),
    HTML: withWholeBreaks(html),
    Size: size,
    Inline: ofDisposition('inline'),
    Attachments: ofDisposition('attachment'),
  };
}

/** Returns the position of the attachment that a client calls by this ID; undefined for another text. */
export function attachmentPosition(partId: string): number | undefined {
  return /^[1-9]\d{0,5}$/.test(partId) ? Number(partId) - 1 : undefined;
}

function attachmentOf({ position, filename, contentType, contentId, content }: Attachment & { position: number }) {
  const checksum = (algorithm: string) => createHash(algorithm).update(content).digest('hex');
  return {
    PartID: String(position + 1),
    FileName: filename || (contentId ?? ''),
    ContentType: contentType,
    ContentID: contentId ?? '',
    Size: content.byteLength,
    Checksums: { MD5: checksum('md5'), SHA1: checksum('sha1'), SHA256: checksum('sha256') },
  };
}

/** Returns the fields of the header as the message has them, by name in the spelling of Go's library. */
export function headersOf({ extracts }: SearchDocument): Record<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value, raw = value] of extracts?.headers ?? []) {
    const key = name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
    fields.set(key, [...(fields.get(key) ?? []), raw.replace(/\r?\n[ \t]+/g, ' ').trim()]);
  }
  return Object.fromEntries(fields);
}

function addressesOf(email: SearchDocument) {
  const hidden = email.recipients
    .filter(({ kind }) => kind === 'bcc')
    .map(({ mailbox }) => ({ Name: '', Address: mailbox }));
  const shownBcc = mailboxes(email, 'bcc');
  return {
    From: mailboxes(email, 'from')[0] ?? { Name: first(email, 'from'), Address: '' },
    To: mailboxes(email, 'to'),
    Cc: mailboxes(email, 'cc'),
    Bcc: shownBcc.length > 0 ? shownBcc : hidden,
    ReplyTo: mailboxes(email, 'reply-to'),
  };
}

function orNull(list: Mailbox[]): Mailbox[] | null {
  return list.length === 0 ? null : list;
}

function mailboxes(email: SearchDocument, field: string): Mailbox[] {
  return values(email, field).flatMap((value) =>
    addressparser(value, { flatten: true }).flatMap(({ name, address = '' }) =>
      address === '' ? [] : [{ Name: name, Address: address }],
    ),
  );
}

function values({ extracts }: SearchDocument, field: string): string[] {
  return (extracts?.headers ?? []).filter(([name]) => name.toLowerCase() === field).map(([, value]) => value);
}

function first(email: SearchDocument, field: string): string {
  return values(email, field)[0] ?? '';
}

function messageId(email: SearchDocument): string {
  return first(email, 'message-id').replace(/[<>]/g, '');
}

/** Compares names without case, as Mailpit orders them. */
export function byName(one: string, other: string): number {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()];
  return first < second ? -1 : Number(first > second);
}

function sorted(tags: readonly string[]): string[] {
  return [...new Set(tags)].sort(byName);
}

/** Returns the plain text of an email, or its HTML as text. */
export function textOf({ text, extracts }: SearchDocument): string {
  return withWholeBreaks(text || (extracts?.htmlText ?? ''));
}

/** Returns a text with the line breaks of messages, which svc shortens when it reads them. */
export function withWholeBreaks(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

/** Returns the start of a text on one line. The limit is one of bytes, and no character is cut. */
function snippetOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const bytes = Buffer.from(line);
  if (bytes.length <= SNIPPET_BYTES) return line;
  let end = SNIPPET_BYTES;
  while (((bytes[end] ?? 0) & CONTINUATION_MASK) === CONTINUATION) end -= 1;
  return `${bytes.subarray(0, end).toString()}...`;
}

/** Returns the links of List-Unsubscribe: at most one to a page and one to an address. */
function listUnsubscribe(email: SearchDocument) {
  const header = first(email, 'list-unsubscribe');
  const links = [...header.matchAll(/<([^<>]*)>/g)].map(([, link = '']) => link.trim());
  const valid = links.filter((link) => /^(?:mailto:|https?:\/\/)[a-z0-9]/i.test(link) && !/\s/.test(link));
  const isWrong = header !== '' && (valid.length === 0 || valid.length < links.length || links.length > 2);
  return {
    Header: header,
    Links: isWrong ? [] : valid,
    Errors: isWrong
      ? `${JSON.stringify(header)} must be one link to a page, one to an address, or both, each in <>`
      : '',
    HeaderPost: header === '' ? '' : first(email, 'list-unsubscribe-post'),
  };
}

/** Returns the time of the field Date with its own zone; undefined if it cannot be read, or is too far away. */
function dateOf(field: string): string | undefined {
  const instant = Date.parse(field);
  if (!(Math.abs(instant) <= INSTANT_MAX)) return undefined;
  const [, sign = '+', hours = '00', minutes = '00'] = /([+-])(\d\d)(\d\d)(?:\s|$)/.exec(field) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const local = new Date(instant + offset * 60_000).toISOString().replace(/\.\d+Z$/, '');
  return local + (offset === 0 ? 'Z' : `${sign}${hours}:${minutes}`);
}
