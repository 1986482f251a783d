import type { Inspection } from '../../contract/control/inspect-email.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { describeWarning } from '../../contract/vocabulary/warnings.js';
import { type CallContext, timestamp, timestampOrNull } from '../context.js';
import { eventData } from '../mail/event-log.js';
import { mailLinks } from '../mail/links.js';
import { htmlFor, messageFor } from '../mail/recipient-message.js';
import type { Attachment } from '../model/contents.js';
import type { Email } from '../model/emails.js';
import { unknownEmail } from '../resources/emails.js';
import type { ControlHandler } from './context.js';
import { describeSuppression } from './suppressions.js';

/** Implements the control API's endpoints for details of an email that the service's API does not return. */

export const inspectEmail: ControlHandler<'emails.inspect'> = async ({ params: { id } }, context) => {
  const { store } = context;
  const email = await findEmail(store, id);
  const [recipients, attachments, received, events, warnings, links, parsing] = await Promise.all([
    store.read.emails.recipients(id),
    store.read.emails.attachments(id),
    store.read.received.envelopeOf(id),
    store.read.events.ofEmail(id),
    store.read.emails.warnings(id),
    mailLinks(context, email),
    store.read.emails.isPlaceholder(id),
  ]);
  return {
    id,
    origin: email.origin,
    status: email.status,
    from: email.from,
    reply_to: email.replyTo,
    subject: email.subject,
    scheduled_at: timestampOrNull(email.scheduledAt),
    recipients: await Promise.all(
      recipients.map(async ({ kind, address, mailbox, status }) => {
        const suppression = await store.read.suppressions.find(mailbox);
        return { kind, address, mailbox, status, suppression: suppression ? describeSuppression(suppression) : null };
      }),
    ),
    attachments: attachments.map(({ position, filename, contentType, contentId, disposition, size }) => ({
      index: position,
      filename,
      content_type: contentType,
      content_id: contentId,
      disposition,
      size,
    })),
    envelope: received ? { mail_from: received.mailFrom, rcpt_to: received.recipients, size: received.size } : null,
    parse_error: email.parseError,
    parsing,
    warnings: [...warnings, ...links.warnings].map(describeWarning),
    links: links.urls,
    events: events.map((event) => ({
      seq: event.seq,
      id: event.id,
      type: event.type,
      created_at: timestamp(event.createdAt),
      data: eventData(event),
    })),
  } satisfies Inspection;
};

export const rawEmail: ControlHandler<'emails.raw'> = async ({ params: { id }, query }, context) => {
  const body = await messageFor(await findEmail(context.store, id), query.recipient, context);
  return { body, filename: `${id}.eml` };
};

export const deliveredHtml: ControlHandler<'emails.delivered_html'> = async ({ params: { id }, query }, context) => {
  const html = await htmlFor(await findEmail(context.store, id), query.recipient, context);
  // Offered as a download: in a browser tab, scripts in the email would run with this server's origin.
  return { body: Buffer.from(html), filename: `${id}.html` };
};

export const emailAttachment: ControlHandler<'emails.attachment'> = async ({ params: { id, index } }, { store }) => {
  await findEmail(store, id);
  const { content } = await findAttachment(store, id, index);
  // Does not use the name in the email, because the sender can choose any.
  return { body: content, filename: `${id}-${index}.bin` };
};

type EmailReads = Pick<CallContext['store'], 'read'>;

async function findEmail({ read }: EmailReads, id: string): Promise<Email> {
  const email = await read.emails.find(id);
  if (!email) throw unknownEmail(id);
  return email;
}

async function findAttachment({ read }: EmailReads, id: string, index: number): Promise<Attachment> {
  const attachment = await read.emails.attachment(id, index);
  if (!attachment) throw new ServiceError('not_found', `Attachment ${index} of email ${id} not found.`);
  return attachment;
}
