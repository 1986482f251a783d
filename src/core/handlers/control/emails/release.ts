import type { EmailRelease } from '../../../../contract/control/emails/release.js';
import { ServiceError } from '../../../../contract/vocabulary/errors.js';
import { checkSendingDomain, rememberDomain } from '../../../account/sending-domain.js';
import { ifExists, timestamp } from '../../../context.js';
import { leftoverPlaceholders, sizeWarnings } from '../../../mail/content-warnings.js';
import { afterParsing } from '../../../mail/inbound/message-reader.js';
import type { Attachment } from '../../../model/contents.js';
import { type Email, newEmail, type Recipient } from '../../../model/emails.js';
import type { Release } from '../../../model/received.js';
import { beingParsed, shownContent, storeEmail, unknownEmail } from '../../service/emails.js';
import type { CallWith, ControlCall, ControlHandler, ControlHandlers } from '../context.js';

/** Implements the control API's endpoint that sends a captured email through a real SMTP server. */

const releaseEmail: ControlHandler<'emails.release', 'releases'> = async ({ params: { id }, body }, context) => {
  const email = await context.store.read.emails.find(id);
  if (!email) throw unknownEmail(id);
  if (await context.store.read.emails.isParsing(id)) throw beingParsed(id);
  return describeRelease(await context.releases.release(email, body.to, context.store));
};

export function describeRelease({
  releasedAt,
  relay,
  mailFrom,
  recipients,
  reply,
  error,
  rejected,
}: Release): EmailRelease {
  return {
    released_at: timestamp(releasedAt),
    relay,
    mail_from: mailFrom,
    rcpt_to: recipients,
    reply,
    error,
    rejected,
  };
}

/** Implements the control API's endpoint that sends an email again. */

const resendEmail: ControlHandler<'emails.resend', 'accept'> = async ({ params: { id } }, context) => {
  const email = await context.store.read.emails.find(id);
  if (!email) throw unknownEmail(id);
  return { id: email.origin === 'smtp' ? await receiveAgain(email, context) : await sendAgain(email, context) };
};

/** Receives the same bytes from the same sender once more. */
async function receiveAgain({ id, workspace }: Email, { store, accept }: CallWith<'accept'>): Promise<string> {
  const message = await store.read.received.ofEmail(id);
  if (!message)
    throw new ServiceError('conflict', `The received message of ${id} is missing; it cannot be sent again.`);
  return accept(message, workspace);
}

/** Sends the stored content, because a template may have changed since. */
async function sendAgain(email: Email, context: ControlCall): Promise<string> {
  const { store, clock, ids } = context;
  const newDomain = await checkSendingDomain(email.fromMailbox, context);
  const recipients = (await store.read.emails.recipients(email.id)).map(
    ({ kind, address, mailbox }): Recipient => ({ kind, address, mailbox, status: 'sent', dueAt: null, steps: null }),
  );
  const attachments = await attachmentsOf(email.id, context);
  context.warn(...sizeWarnings({ recipients: recipients.length, attachments, html: email.html }));
  if (email.templateId === null) context.warn(...leftoverPlaceholders(email));
  const now = clock.now();
  const { origin, from, fromMailbox, to, subject, size, html, text, replyTo, templateId, variables, tags } = email;
  const copy = newEmail({
    ...{ origin, from, fromMailbox, to, subject, size, html, text, replyTo, templateId, variables, tags },
    id: ids.next('msg', now),
    status: 'sent',
    trackOpens: email.trackOpens,
    trackClicks: email.trackClicks,
    createdAt: now,
    capturedAt: clock.systemNow(),
    sentAt: now,
  });
  const shown = await shownContent(copy, recipients, context);
  await store.write(async (tx) => {
    const workspace = await ifExists(tx, email.workspace);
    await storeEmail(tx, context, {
      email: { ...copy, workspace },
      recipients,
      attachments,
      shown,
      outcome: undefined,
    });
  });
  if (newDomain !== undefined) rememberDomain(newDomain, context);
  return copy.id;
}

async function attachmentsOf(id: string, { store }: ControlCall): Promise<Attachment[]> {
  const infos = await store.read.emails.attachments(id);
  const found = await Promise.all(infos.map(({ position }) => store.read.emails.attachment(id, position)));
  return found.filter((each) => each !== undefined);
}

export const releaseHandlers = {
  'emails.release': afterParsing(releaseEmail),
  'emails.resend': afterParsing(resendEmail),
} satisfies Partial<ControlHandlers>;
