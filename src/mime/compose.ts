import { createHash, createSign } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import { buildHeaderValue, encodeWord } from 'nodemailer/lib/mime-funcs';
import { storedAddress } from '../contract/vocabulary/addresses.js';
import { messageDateOf, messageIdOf } from '../core/mail/composed-fields.js';
import type { Attachment } from '../core/model/contents.js';
import type { ComposeMessage, DkimIdentity } from '../core/ports.js';
import { canonicalBody, canonicalHeader, headerLines } from './dkim-verify.js';

/**
 * Composes messages and signs them with DKIM (RFC 6376): rsa-sha256, relaxed/relaxed. A composed message has CRLF line
 * ends and ASCII headers.
 */

/** Each is signed once more often than it occurs, so that none can be added or duplicated (section 8.15). */
const SIGNED_HEADERS = [
  'From',
  'To',
  'Cc',
  'Subject',
  'Date',
  'Message-ID',
  'MIME-Version',
  'Content-Type',
  'Reply-To',
] as const;

/** RFC 5322 section 2.1.1 recommends lines of at most 78 characters. */
const FOLDED_CHARACTERS = 72;

/** Returns the message with its signature on top; the same bytes for the same message, key and time. */
export function signDkim(message: Buffer, { domain, selector, privateKey }: DkimIdentity, signedAt: Date): Buffer {
  const headerEnd = message.indexOf('\r\n\r\n') + 2;
  const headers = headerLines(message.toString('latin1', 0, headerEnd));
  const { names, lines } = coveredHeaders(headers);
  const signature = [
    'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;',
    ` d=${domain}; s=${selector}; t=${Math.floor(signedAt.getTime() / 1000)};`,
    ` h=${names.join(':').replace(/.{1,60}:(?=.)/g, '$&\r\n  ')};`,
    ` bh=${bodyHash(message.toString('latin1', headerEnd + 2))};`,
    ' b=',
  ].join('\r\n');
  // The signature covers its own header with an empty b=, and no line break after it (section 3.7).
  const covered = [...lines, canonicalHeader(signature, 'relaxed')].join('\r\n');
  const b = createSign('RSA-SHA256').update(covered, 'latin1').sign(privateKey, 'base64');
  const folded = b.match(new RegExp(`.{1,${FOLDED_CHARACTERS}}`, 'g'))?.join('\r\n  ');
  return Buffer.concat([Buffer.from(`${signature}${folded}\r\n`, 'latin1'), message]);
}

/** Returns the `h=` list and the canonicalized headers that it names, from the bottom up (section 5.4.2). */
function coveredHeaders(headers: string[]): { names: string[]; lines: string[] } {
  const names: string[] = [];
  const lines: string[] = [];
  for (const name of SIGNED_HEADERS) {
    const present = headers.filter(
      (header) => header.slice(0, header.indexOf(':')).toLowerCase() === name.toLowerCase(),
    );
    names.push(...present.map(() => name), name);
    lines.push(...present.reverse().map((header) => canonicalHeader(header, 'relaxed')));
  }
  return { names, lines };
}

/** Returns the hash of the canonicalized body. Section 3.7. */
function bodyHash(body: string): string {
  return createHash('sha256').update(canonicalBody(body, 'relaxed'), 'latin1').digest('base64');
}

/**
 * Composes the message of an email sent over REST, with nodemailer: a complete RFC 5322 message, the same bytes every
 * time, signed when its domain has a key. Bcc recipients are in the envelope, never in the header.
 */
export const composeMessage: ComposeMessage = async ({ email, html, recipients, attachments, dkim }) => {
  const addressesOf = (kind: 'to' | 'cc') =>
    recipients.filter((recipient) => recipient.kind === kind).map(({ address }) => storedAddress(address));
  const date = messageDateOf(email);
  const composer = new MailComposer({
    from: storedAddress(email.from),
    to: addressesOf('to'),
    cc: addressesOf('cc'),
    ...(email.replyTo !== null && { replyTo: storedAddress(email.replyTo) }),
    headers: subjectHeader(email.subject),
    ...(email.text && { text: withWholeBreaks(email.text) }),
    ...(html && { html: withWholeBreaks(html) }),
    attachments: attachments.map(mimeAttachment),
    date,
    messageId: messageIdOf(email),
    // Seeds the boundaries, which would be random otherwise.
    baseBoundary: email.id,
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = await composer.compile().build();
  return dkim ? signDkim(message, dkim, date) : message;
};

/** Replaces carriage returns alone, which RFC 5322 section 2.3 forbids in a body. */
function withWholeBreaks(text: string): string {
  return text.replace(/\r(?!\n)/g, '\r\n');
}

/**
 * Returns the header of a subject. nodemailer leaves ASCII unchanged; text that cannot be folded, or looks encoded,
 * has to be encoded as well.
 */
function subjectHeader(subject: string) {
  if (!subject.includes('=?') && !UNFOLDABLE.test(subject)) return { Subject: subject };
  return { Subject: { prepared: true, foldLines: true, value: encodeWord(subject, 'Q', ENCODED_WORD_CHARACTERS) } };
}

/** A run without whitespace that would exceed the 998 characters of a header line in RFC 5322 section 2.1.1. */
const UNFOLDABLE = /\S{900}/;
/** RFC 2047 section 2 allows 75; a shorter one leaves room for the header's name on its line. */
const ENCODED_WORD_CHARACTERS = 52;

function mimeAttachment({ filename, contentType, contentId, disposition, content }: Attachment) {
  return {
    // nodemailer would repeat the name in Content-Type as an encoded word in quotation marks, which RFC 2047 section 5 forbids.
    filename: false as const,
    // Goes to MimeNode.setHeader, which accepts this form too and then leaves the value unchanged.
    contentDisposition: {
      prepared: true,
      foldLines: true,
      value: buildHeaderValue({ value: disposition, params: { filename } }),
    } as unknown as string,
    // Only a body of parts may be called multipart (RFC 2046 section 5.1).
    contentType: /^multipart\//i.test(contentType) ? 'application/octet-stream' : contentType,
    ...(contentId !== null && { cid: contentId }),
    content: Buffer.from(content),
  };
}
