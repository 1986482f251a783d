import type { Inspection } from '../../../../contract/control/emails/inspect.js';
import { ServiceError } from '../../../../contract/vocabulary/errors.js';
import { describeWarning, type ServiceWarning } from '../../../../contract/vocabulary/warnings.js';
import { type CallContext, timestamp, timestampOrNull } from '../../../context.js';
import { eventData } from '../../../mail/event-log.js';
import { missing } from '../../../mail/extraction/extract-email.js';
import { afterParsing } from '../../../mail/inbound/message-reader.js';
import { htmlFor, messageFor } from '../../../mail/recipient-message.js';
import type { Attachment } from '../../../model/contents.js';
import type { Email, Recipient } from '../../../model/emails.js';
import type { ReceivedEnvelope } from '../../../model/received.js';
import type { Extracts } from '../../../model/search.js';
import { ProcessorUnavailableError } from '../../../ports.js';
import { unknownEmail } from '../../service/emails.js';
import type { ControlHandler, ControlHandlers } from '../context.js';
import { describeSuppression } from '../suppressions.js';
import { readCaptured } from './captured-email.js';
import { describeRelease } from './release.js';

/** Implements the control API's endpoints for details of an email that the service's API does not return. */

const inspectEmail: ControlHandler<'emails.inspect'> = async ({ params: { id } }, context) => {
  const { store } = context;
  // First, because it may take a while and add warnings.
  const extracted = await linksAndCodes(id, context);
  const [email, recipients, attachments, received, events, warnings, releases, parsing] = await Promise.all([
    findEmail(store, id),
    store.read.emails.recipients(id),
    store.read.emails.attachments(id),
    store.read.received.envelopeOf(id),
    store.read.events.ofEmail(id),
    store.read.emails.warnings(id),
    store.read.releases.ofEmail(id),
    store.read.emails.isParsing(id),
  ]);
  const retries = recipients.some(isPending) ? await store.read.jobs.dueByMailbox('email.outcome', id) : new Map();
  return {
    id,
    origin: email.origin,
    status: email.status,
    from: email.from,
    reply_to: email.replyTo,
    subject: email.subject,
    scheduled_at: timestampOrNull(email.scheduledAt),
    read: email.readAt !== null,
    added_tags: email.addedTags,
    recipients: await Promise.all(
      recipients.map(async (recipient) => {
        const { kind, address, mailbox, status, dueAt } = recipient;
        const suppression = await store.read.suppressions.find(mailbox, email.workspace);
        const next = isPending(recipient) ? (dueAt ?? retries.get(mailbox) ?? null) : null;
        return {
          ...{ kind, address, mailbox, status },
          suppression: suppression ? describeSuppression(suppression) : null,
          next_attempt_at: timestampOrNull(next),
        };
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
    envelope: received ? envelopeOf(received) : null,
    // Keys of workspaces cannot read sessions.
    smtp_session: (context.key.workspace === null && received?.sessionId) || null,
    smtp_key_id: received?.keyId ?? null,
    parse_error: email.parseError,
    parsing,
    warnings: [...warnings, ...extracted.warnings].map(describeWarning),
    codes: extracted.codes,
    links: extracted.links,
    releases: releases.map(describeRelease),
    events: events.map((event) => ({
      seq: event.seq,
      id: event.id,
      type: event.type,
      created_at: timestamp(event.createdAt),
      data: eventData(event),
    })),
  } satisfies Inspection;
};

function envelopeOf({ mailFrom, recipients, size, dsn }: ReceivedEnvelope & { size: number }): Inspection['envelope'] {
  return { mail_from: mailFrom, rcpt_to: recipients, size, dsn: dsn ?? null };
}

/** Returns whether the email was sent to a recipient without a result so far. */
const isPending = ({ status }: Pick<Recipient, 'status'>) => status === 'sent';

const capturedEmail: ControlHandler<'emails.captured'> = async ({ params: { id } }, context) => {
  await context.extractPending('all', [id]);
  const [captured] = await readCaptured(context.store, [id]);
  if (!captured) throw unknownEmail(id);
  return captured;
};

const emailText: ControlHandler<'emails.text'> = async ({ params: { id }, query }, context) => {
  await context.extractPending('shown', [id]);
  const [document] = await context.store.read.emails.documents([id]);
  if (!document) throw unknownEmail(id);
  const text = document.text || document.extracts?.htmlText || '';
  return { body: Buffer.from(text.slice(0, query.max_characters)), filename: `${id}.txt` };
};

const rawEmail: ControlHandler<'emails.raw', 'compose' | 'deliveredCopy'> = async (
  { params: { id }, query },
  context,
) => {
  const body = await messageFor(await findEmail(context.store, id), query.recipient, context);
  return { body, filename: `${id}.eml` };
};

const deliveredHtml: ControlHandler<'emails.delivered_html'> = async ({ params: { id }, query }, context) => {
  const html = await htmlFor(await findEmail(context.store, id), query.recipient, context);
  // Offered as a download: in a browser tab, scripts in the email would run with this server's origin.
  return { body: Buffer.from(html), filename: `${id}.html` };
};

const emailAttachment: ControlHandler<'emails.attachment'> = async ({ params: { id, index } }, { store }) => {
  await findEmail(store, id);
  const { content } = await findAttachment(store, id, index);
  // Does not use the name in the email, because the sender can choose any.
  return { body: content, filename: `${id}-${index}.bin` };
};

/** Returns the links and codes of an email. If they cannot be found now, a warning contains the reason. */
async function linksAndCodes(
  id: string,
  { extractsOf }: Pick<CallContext, 'extractsOf'>,
): Promise<Pick<Extracts, 'links' | 'codes'> & { warnings: ServiceWarning[] }> {
  try {
    const { links = [], codes = [] } = (await extractsOf(id)) ?? {};
    return { links, codes, warnings: [] };
  } catch (error) {
    if (!(error instanceof ProcessorUnavailableError)) throw error;
    return { links: [], codes: [], warnings: [missing(`The links could not be found. ${error.message}`)] };
  }
}

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

export const inspectHandlers = {
  'emails.inspect': afterParsing(inspectEmail),
  'emails.captured': afterParsing(capturedEmail),
  'emails.text': afterParsing(emailText),
  'emails.raw': afterParsing(rawEmail),
  'emails.delivered_html': afterParsing(deliveredHtml),
  'emails.attachment': afterParsing(emailAttachment),
} satisfies Partial<ControlHandlers>;
