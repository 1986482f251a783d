import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import type { Email, Recipient } from '../../model/emails.js';
import type { ReceivedHead } from '../../model/received.js';
import type { ParsedMessage } from '../../ports.js';
import type { Transaction } from '../../transaction.js';
import { emailOf, recipientsOf, withSender } from './received-email.js';
import { readRequested, renderRequested } from './service-headers.js';

/** Creates the emails that received messages request with their headers. */

export interface RequestedEmail {
  email: Email;
  recipients: Recipient[];
  warnings: ServiceWarning[];
}

/** Returns the email of a message, with what its X-Service-… headers request. */
export async function requestedEmail(
  tx: Transaction,
  message: ReceivedHead,
  read: ParsedMessage,
): Promise<RequestedEmail> {
  const { createdAt } = message;
  const parsed = withSender(message, read);
  const requested = readRequested(parsed.service, parsed.content, createdAt);
  const { tags, scheduledAt, variables, trackOpens, trackClicks } = requested;
  const { content, templateId, warnings } =
    requested.templateId === null
      ? { content: parsed.content, templateId: null, warnings: [] }
      : renderRequested(requested, parsed.content, await tx.templates.find(requested.templateId));
  const recipients = recipientsOf(message, parsed);
  const email = emailOf(message, content, recipients);
  return {
    email: { ...email, tags, scheduledAt, variables, trackOpens, trackClicks, templateId },
    recipients,
    warnings: [...requested.warnings, ...warnings],
  };
}

export interface UnparsedEmail {
  head: ReceivedHead;
  header: ParsedMessage;
  /** Number of attempts to parse it that have begun. */
  attempts: number;
  /** Number of mailboxes that it will be sent to. */
  sentTo: number;
}

/** Inserts the email of a message that is not parsed, and the job that parses it. */
export async function insertUnparsed(
  tx: Transaction,
  { head, header, attempts, sentTo }: UnparsedEmail,
): Promise<void> {
  const { seq, id, createdAt } = head;
  // A template may replace the content, which is not known.
  const service = { ...header.service, template: null };
  const { email, recipients } = await requestedEmail(tx, head, { ...header, service });
  const status = email.scheduledAt === null ? ('sent' as const) : ('scheduled' as const);
  const sentAt = email.scheduledAt === null ? email.sentAt : null;
  const all = recipients.map((recipient) => ({ ...recipient, status }));
  await tx.emails.insertReceived(seq, { ...email, status, sentAt }, all, []);
  await tx.received.addUnparsed(seq, { sentTo, attempts });
  await tx.jobs.add({ kind: 'email.parse', runAt: createdAt, payload: { emailId: id } });
}
