import MailComposer from 'nodemailer/lib/mail-composer';
import { buildHeaderValue, encodeWord } from 'nodemailer/lib/mime-funcs';
import { storedAddress } from '../contract/vocabulary/parsers/address.js';
import { messageDateOf, messageIdOf } from '../core/mail/extraction/header-fields.js';
import type { Attachment } from '../core/model/contents.js';
import type { ComposeMessage } from '../core/ports.js';
import { signDkim } from './dkim-sign.js';

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
