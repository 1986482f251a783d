import type { EmailStatus } from '../contract/email.js';
import { type Core, timestamp } from './context.js';
import { recordEvent } from './event-log.js';
import type { Email, NewJob, Recipient } from './model.js';
import type { Transaction } from './ports.js';

/** What happens to an email after it was accepted. Specification: States and transitions; decisions 3 and 4. */

type Making = Pick<Core, 'clock' | 'ids'>;

/** Delivers one recipient's mail. */
export interface DeliverJob extends NewJob {
  kind: 'email.deliver';
  payload: { emailId: string; mailbox: string };
}

/** Sends a scheduled email. */
export interface SendJob extends NewJob {
  kind: 'email.send';
  payload: { emailId: string };
}

/** An email's status is the worst of its recipients', in this order. Decision 4. */
const worstFirst: readonly EmailStatus[] = ['complained', 'bounced', 'dropped', 'delivered', 'sent'];

export function worstStatus(statuses: readonly EmailStatus[]): EmailStatus {
  return worstFirst.find((status) => statuses.includes(status)) ?? 'sent';
}

/** Reports an email as sent, one event a recipient, and lines up each recipient's outcome. */
export async function reportSent(
  tx: Transaction,
  making: Making,
  email: Email,
  recipients: Recipient[],
): Promise<void> {
  for (const { mailbox } of recipients) {
    await recordEvent(tx, making, 'email.sent', {
      email_id: email.id,
      to: mailbox,
      from: email.from,
      subject: email.subject,
      template_id: email.templateId,
      tags: email.tags,
    });
    const job: DeliverJob = {
      kind: 'email.deliver',
      runAt: making.clock.now(),
      payload: { emailId: email.id, mailbox },
    };
    await tx.jobs.add(job);
  }
}

/** Runs a scheduled email's job: it is sent, unless it was cancelled. */
export async function sendScheduled(tx: Transaction, making: Making, { emailId }: SendJob['payload']): Promise<void> {
  const email = await tx.emails.find(emailId);
  if (email?.status !== 'scheduled') return;
  await tx.emails.setStatus(emailId, { status: 'sent', sentAt: making.clock.now() });
  for (const { mailbox } of await tx.emails.recipients(emailId))
    await tx.emails.setRecipientStatus(emailId, mailbox, 'sent');
  await reportSent(tx, making, email, await tx.emails.recipients(emailId));
}

/** Runs a recipient's delivery. */
export async function deliver(
  tx: Transaction,
  making: Making,
  { emailId, mailbox }: DeliverJob['payload'],
): Promise<void> {
  const email = await tx.emails.find(emailId);
  if (!email) return;
  const now = making.clock.now();
  await tx.emails.setRecipientStatus(emailId, mailbox, 'delivered');
  const recipients = await tx.emails.recipients(emailId);
  await tx.emails.setStatus(emailId, {
    status: worstStatus(recipients.map(({ status }) => status)),
    deliveredAt: email.deliveredAt ?? now,
  });
  await recordEvent(tx, making, 'email.delivered', {
    email_id: emailId,
    to: mailbox,
    delivered_at: timestamp(now),
    smtp_response: `250 2.0.0 OK: queued as ${emailId}`,
  });
}
