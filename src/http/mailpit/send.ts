import * as z from 'zod';
import { normalizeAddress, readAnyAddress } from '../../contract/vocabulary/addresses.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { RECIPIENTS_MAX } from '../../contract/vocabulary/limits.js';
import type { Attachment } from '../../core/model/contents.js';
import { newEmail, type Recipient, type RecipientKind } from '../../core/model/emails.js';
import { type MailpitHandler, readBody, Text } from './calls.js';
import { cleanTags } from './messages.js';

/** Composes the message that a client sends over HTTP, and accepts it as one received over SMTP. */

const Address = z.object({ name: Text.default(''), email: Text.default('') });
const Addresses = z.array(Address).default([]);

const Message = z.object({
  from: Address.default({ name: '', email: '' }),
  to: Addresses,
  cc: Addresses,
  bcc: z.array(Text).default([]),
  replyto: Addresses,
  subject: Text.default(''),
  text: Text.default(''),
  html: Text.default(''),
  tags: z.array(Text).default([]),
  headers: z.record(z.string(), Text).default({}),
  attachments: z
    .array(
      z.object({
        content: Text.default(''),
        filename: Text.default(''),
        contenttype: Text.default(''),
        contentid: Text.default(''),
      }),
    )
    .default([]),
});

export const sendMessage: MailpitHandler = async (
  request,
  _reply,
  { clock, ids, key, compose, accept, parsed, store },
) => {
  const message = readBody(request, Message);
  const now = clock.now();
  const from = addressOf('From', message.from);
  const recipients = [
    ...message.to.map((each) => recipientOf('to', each)),
    ...message.cc.map((each) => recipientOf('cc', each)),
    ...message.bcc.map((email) => recipientOf('bcc', { name: '', email })),
  ];
  if (recipients.length === 0 || recipients.length > RECIPIENTS_MAX) {
    throw invalid(`The message must have 1 to ${RECIPIENTS_MAX} addresses in To, Cc and Bcc.`);
  }
  const replyTo = message.replyto.map((each) => addressOf('Reply-To', each).shown);
  const email = newEmail({
    id: ids.next('msg', now),
    origin: 'smtp',
    status: 'sent',
    from: from.shown,
    fromMailbox: from.mailbox,
    to: '',
    subject: message.subject.replace(/[\r\n]+/g, ' '),
    size: 0,
    createdAt: now,
    capturedAt: now,
    replyTo: replyTo[0] ?? null,
    html: message.html,
    text: message.text,
  });
  const tags = cleanTags(message.tags);
  const composed = await compose({
    ...{ email, recipients, html: message.html, dkim: null },
    attachments: message.attachments.map(attachmentOf),
  });
  const bytes = Buffer.concat([
    Buffer.from(headerLines(message.headers, tags)),
    withoutAddedBreak(composed, message.text || message.html),
  ]);
  const envelope = { mailFrom: from.address, recipients: recipients.map(({ mailbox }) => mailbox) };
  const id = await accept({ ...envelope, bytes }, key.workspace);
  if (tags.length > 0) {
    await parsed(id);
    await store.write((tx) => tx.emails.setTags(id, { tags, addedTags: [] }));
  }
  return { ID: id };
};

/** Removes the line break that a composed message ends with: in one with a single part, it would be part of the text. */
function withoutAddedBreak(composed: Uint8Array, text: string): Uint8Array {
  return text.endsWith('\n') ? composed : composed.subarray(0, -'\r\n'.length);
}

function addressOf(field: string, { name, email }: z.output<typeof Address>) {
  const read = readAnyAddress(email);
  if ('problem' in read) throw invalid(`invalid ${field} address: ${email}`);
  const shown =
    name === '' ? read.address : `"${name.replace(/[\r\n]+/g, ' ').replace(/["\\]/g, '\\$&')}" <${read.address}>`;
  return { shown, address: read.address, mailbox: normalizeAddress(read.address) };
}

const FIELD_OF: Record<RecipientKind, string> = { to: 'To', cc: 'Cc', bcc: 'Bcc' };

function recipientOf(kind: RecipientKind, given: z.output<typeof Address>): Recipient {
  const { shown, mailbox } = addressOf(FIELD_OF[kind], given);
  return { kind, address: shown, mailbox, status: 'sent', dueAt: null, steps: null };
}

function attachmentOf(given: z.output<typeof Message>['attachments'][number]): Attachment {
  const { filename, contenttype: type, contentid: contentId } = given;
  const base64 = given.content.slice(given.content.lastIndexOf(',') + 1).replace(/[\r\n]/g, '');
  if (base64.length % 4 !== 0 || !/^[A-Za-z\d+/]*={0,2}$/.test(base64)) {
    throw invalid(`error decoding base64 attachment ${JSON.stringify(filename)}`);
  }
  const isType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type);
  return {
    filename: filename.replace(/[\r\n]+/g, ' '),
    contentType: isType ? type : 'application/octet-stream',
    contentId: contentId === '' ? null : contentId.replace(/[\r\n<>]+/g, ''),
    disposition: contentId === '' ? 'attachment' : 'inline',
    content: Buffer.from(base64, 'base64'),
  };
}

const RESERVED = new Set('to from cc bcc reply-to date subject content-type mime-version message-id'.split(' '));

/** Returns the lines of additional fields, which come before the composed ones. */
function headerLines(headers: Record<string, string>, tags: readonly string[]): string {
  const fields = Object.entries(headers);
  if (tags.length > 0) fields.unshift(['X-Tags', tags.join(', ')]);
  return fields
    .map(([name, value], index) => {
      if (!/^[!-9;-~]+$/.test(name)) throw invalid(`invalid header key: ${JSON.stringify(name)}`);
      const isTags = tags.length > 0 && index > 0 && name.toLowerCase() === 'x-tags';
      if (RESERVED.has(name.toLowerCase()) || isTags) throw invalid(`cannot overwrite header: "${name}"`);
      return `${name}: ${encoded(value.replace(/[\r\n]+/g, ' '))}\r\n`;
    })
    .join('');
}

/** Encodes text that is not ASCII, in words of at most 75 characters (RFC 2047). */
function encoded(text: string): string {
  if (/^[\t -~]*$/.test(text)) return text;
  const words = text.match(/.{1,10}/gsu) ?? [];
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
}

function invalid(message: string): ServiceError {
  return new ServiceError('bad_request', message, undefined, '');
}
