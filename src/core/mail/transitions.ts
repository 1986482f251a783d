import type { EmailStatus } from '../../contract/service/emails.js';
import { type Core, timestamp } from '../context.js';
import type { StatusChange, Transaction } from '../transaction.js';
import { recordEngagement } from './engagement.js';
import { recordEvent } from './event-log.js';
import { isMagic, type Step, type StepName } from './outcomes.js';
import { acceptedReply, bounceReply, feedbackId, visitorFor } from './simulated-replies.js';

/** What can happen to a recipient's mail once it is sent. Specification: States and transitions; decisions 3 and 4. */

type EventDeps = Pick<Core, 'clock' | 'ids'>;

/** An email's status is the worst of its recipients', in this order. Decision 4. */
const worstFirst: readonly EmailStatus[] = ['complained', 'bounced', 'dropped', 'delivered', 'sent'];

/**
 * The worse of an email's status and a recipient's new one. A recipient's status only ever gets worse in this order, so the
 * others need not be read again, however many they are.
 */
export function worseStatus(a: EmailStatus, b: EmailStatus): EmailStatus {
  return worstFirst.find((status) => status === a || status === b) ?? 'sent';
}

/** Decision 3. A server may also take a mail and report only later that it could not be delivered. */
const allowedFrom: Record<StepName, readonly EmailStatus[]> = {
  deliver: ['sent'],
  bounce: ['sent', 'delivered'],
  complain: ['delivered'],
  open: ['delivered', 'complained'],
  click: ['delivered', 'complained'],
};

export function isAllowedFrom(step: StepName, status: EmailStatus): boolean {
  return allowedFrom[step].includes(status);
}

/** The URL of a simulated click in a mail without a link. */
const PLACEHOLDER_URL = 'https://simulator.test/';

/** Applies one step to a recipient’s mail. Returns false when its status does not allow the step. */
export async function applyStep(
  tx: Transaction,
  deps: EventDeps,
  emailId: string,
  mailbox: string,
  step: Step,
): Promise<boolean> {
  const email = await tx.emails.findWithoutBodies(emailId);
  const recipient = await tx.emails.recipient(emailId, mailbox);
  if (!email || !recipient || !isAllowedFrom(step.name, recipient.status)) return false;
  const now = deps.clock.now();
  const about = { email_id: emailId, to: mailbox };
  const transitionTo = async (status: EmailStatus, changes: StatusChange = {}) => {
    await tx.emails.setRecipientStatus(emailId, mailbox, status);
    await tx.emails.setStatus(emailId, { ...changes, status: worseStatus(email.status, status) });
  };
  switch (step.name) {
    case 'deliver': {
      await transitionTo('delivered', { deliveredAt: email.deliveredAt ?? now });
      await recordDelivered(tx, deps, emailId, mailbox);
      return true;
    }
    case 'bounce': {
      const type = step.bounceType ?? 'hard';
      const { reason, smtpResponse } = bounceReply(mailbox, type, step.reason);
      await transitionTo('bounced', { bounceReason: reason });
      if (type === 'hard') await suppress(tx, deps, mailbox, 'hard_bounce', emailId);
      await recordEvent(tx, deps, 'email.bounced', {
        ...about,
        bounced_at: timestamp(now),
        bounce_type: type,
        reason,
        smtp_response: smtpResponse,
      });
      return true;
    }
    case 'complain': {
      await transitionTo('complained');
      await suppress(tx, deps, mailbox, 'complaint', emailId);
      await recordEvent(tx, deps, 'email.complained', {
        ...about,
        complained_at: timestamp(now),
        complaint_type: step.complaintType ?? 'abuse',
        feedback_id: feedbackId(emailId, mailbox),
      });
      return true;
    }
    case 'open':
    case 'click': {
      const visitor = visitorFor(mailbox);
      await recordEngagement(tx, deps, {
        emailId,
        mailbox,
        url: step.name === 'click' ? (step.url ?? PLACEHOLDER_URL) : null,
        ip: step.ip ?? visitor.ip,
        userAgent: step.userAgent ?? visitor.userAgent,
      });
      return true;
    }
  }
}

/** The event of a delivery that happens now. */
export async function recordDelivered(
  tx: Transaction,
  deps: EventDeps,
  emailId: string,
  mailbox: string,
): Promise<void> {
  const delivered_at = timestamp(deps.clock.now());
  const smtp_response = acceptedReply(emailId);
  await recordEvent(tx, deps, 'email.delivered', { email_id: emailId, to: mailbox, delivered_at, smtp_response });
}

/** A hard bounce or a complaint suppresses the address (decision 3), unless it was made to bounce. */
async function suppress(
  tx: Transaction,
  { clock }: EventDeps,
  mailbox: string,
  reason: 'hard_bounce' | 'complaint',
  emailId: string,
): Promise<void> {
  if (isMagic(mailbox)) return;
  await tx.suppressions.insert({ mailbox, reason, emailId, createdAt: clock.now() });
}
