import type { EmailStatus } from '../../contract/service/emails.js';
import { type EventDeps, timestamp } from '../context.js';
import type { EmailWithoutBodies, RecipientRef } from '../model/emails.js';
import type { StatusChange, Transaction } from '../transaction.js';
import { recordEngagement } from './engagement.js';
import { recordEvent } from './event-log.js';
import { isMagic, type Step, type StepName } from './outcomes.js';
import { acceptedReply, bounceReply, feedbackId, visitorFor } from './simulated-replies.js';

/** Applies status transitions of sent email. Specification: States and transitions; gaps 3 and 4. */

/** Statuses from worst to best. An email has the worst status of its recipients (gap 4). */
const worstFirst: readonly EmailStatus[] = ['complained', 'bounced', 'dropped', 'delivered', 'sent'];

/**
 * Returns the worse of an email's status and a recipient's new one. A recipient's status only changes to a worse one,
 * so the other recipients need not be read.
 */
export function worseStatus(a: EmailStatus, b: EmailStatus): EmailStatus {
  return worstFirst.find((status) => status === a || status === b) ?? 'sent';
}

/** Statuses that allow each step. A server may accept a message and later report that it bounced. Gap 3. */
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

/** The URL of a simulated click if the email has no link. */
const PLACEHOLDER_URL = 'https://simulator.test/';

/** A step and the recipient to apply it to. */
interface Target extends RecipientRef {
  email: EmailWithoutBodies;
  step: Step;
}

const apply: Record<StepName, (tx: Transaction, deps: EventDeps, target: Target) => Promise<void>> = {
  deliver,
  bounce,
  complain,
  open: engage,
  click: engage,
};

/** Applies one step to a recipient. Returns false if the recipient's status does not allow it. */
export async function applyStep(tx: Transaction, deps: EventDeps, ref: RecipientRef, step: Step): Promise<boolean> {
  const email = await tx.emails.findWithoutBodies(ref.emailId);
  const recipient = await tx.emails.recipient(ref.emailId, ref.mailbox);
  if (!email || !recipient || !isAllowedFrom(step.name, recipient.status)) return false;
  await apply[step.name](tx, deps, { ...ref, email, step });
  return true;
}

async function deliver(tx: Transaction, deps: EventDeps, target: Target): Promise<void> {
  const deliveredAt = target.email.deliveredAt ?? deps.clock.now();
  await setStatus(tx, target, 'delivered', { deliveredAt });
  await recordDelivered(tx, deps, target);
}

async function bounce(tx: Transaction, deps: EventDeps, target: Target): Promise<void> {
  const { emailId, mailbox, step } = target;
  const type = step.bounceType ?? 'hard';
  const { reason, smtpResponse } = bounceReply(mailbox, type, step.reason);
  await setStatus(tx, target, 'bounced', { bounceReason: reason });
  if (type === 'hard') await suppress(tx, deps, target, 'hard_bounce');
  await recordEvent(tx, deps, 'email.bounced', {
    email_id: emailId,
    to: mailbox,
    bounced_at: timestamp(deps.clock.now()),
    bounce_type: type,
    reason,
    smtp_response: smtpResponse,
  });
}

async function complain(tx: Transaction, deps: EventDeps, target: Target): Promise<void> {
  const { emailId, mailbox, step } = target;
  await setStatus(tx, target, 'complained');
  await suppress(tx, deps, target, 'complaint');
  await recordEvent(tx, deps, 'email.complained', {
    email_id: emailId,
    to: mailbox,
    complained_at: timestamp(deps.clock.now()),
    complaint_type: step.complaintType ?? 'abuse',
    feedback_id: feedbackId(emailId, mailbox),
  });
}

async function engage(tx: Transaction, deps: EventDeps, { emailId, mailbox, step }: Target): Promise<void> {
  const visitor = visitorFor(mailbox);
  await recordEngagement(tx, deps, {
    emailId,
    mailbox,
    url: step.name === 'click' ? (step.url ?? PLACEHOLDER_URL) : null,
    ip: step.ip ?? visitor.ip,
    userAgent: step.userAgent ?? visitor.userAgent,
  });
}

/** Sets the recipient's status, and the email's if it becomes worse. */
async function setStatus(
  tx: Transaction,
  { email, mailbox }: Target,
  status: EmailStatus,
  changes: StatusChange = {},
): Promise<void> {
  await tx.emails.setRecipientStatus(email.id, mailbox, status);
  await tx.emails.setStatus(email.id, { ...changes, status: worseStatus(email.status, status) });
}

/** Records the event of a delivery at the current time. */
export async function recordDelivered(
  tx: Transaction,
  deps: EventDeps,
  { emailId, mailbox }: RecipientRef,
): Promise<void> {
  const delivered_at = timestamp(deps.clock.now());
  const smtp_response = acceptedReply(emailId);
  await recordEvent(tx, deps, 'email.delivered', { email_id: emailId, to: mailbox, delivered_at, smtp_response });
}

/** Suppresses the address after a hard bounce or a complaint (gap 3), except the simulator's own addresses. */
async function suppress(
  tx: Transaction,
  { clock }: EventDeps,
  { emailId, mailbox }: RecipientRef,
  reason: 'hard_bounce' | 'complaint',
): Promise<void> {
  if (isMagic(mailbox)) return;
  await tx.suppressions.insert({ mailbox, reason, emailId, createdAt: clock.now() });
}
