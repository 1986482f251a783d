import type { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Attachment, Email, Recipient } from '../core/model.js';

/**
 * Composes the message that an email sent over REST stands for, with nodemailer: a complete RFC 5322 message, the same bytes
 * every time. Bcc recipients are in the envelope, never in the header.
 */
export function composeMessage(email: Email, recipients: Recipient[], attachments: Attachment[]): Promise<Buffer> {
  const addressesOf = (kind: Recipient['kind']) =>
    recipients.filter((recipient) => recipient.kind === kind).map(({ address }) => address);
  const composer = new MailComposer({
    from: email.from,
    to: addressesOf('to'),
    cc: addressesOf('cc'),
    ...(email.replyTo !== null && { replyTo: email.replyTo }),
    subject: email.subject,
    ...(email.text && { text: email.text }),
    ...(email.html && { html: email.html }),
    attachments: attachments.map(({ filename, contentType, contentId, disposition, content }) => ({
      filename,
      contentType,
      contentDisposition: disposition,
      ...(contentId !== null && { cid: contentId }),
      content: Buffer.from(content),
    })),
    date: new Date(email.createdAt),
    messageId: `<${email.id}@${email.fromMailbox.slice(email.fromMailbox.lastIndexOf('@') + 1)}>`,
    // Seeds the boundaries, which would be random otherwise.
    baseBoundary: email.id,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as ConstructorParameters<typeof MailComposer>[0]);
  return new Promise((resolve, reject) => {
    composer.compile().build((error: Error | null, message: Buffer | Readable) => {
      if (error) reject(error);
      else resolve(message as Buffer);
    });
  });
}
