import { type Outcome, stepsOf } from '../../../contract/vocabulary/outcomes.js';
import { monthOf } from '../../account/quota.js';
import { type Core, type EventDeps, timestamp } from '../../context.js';
import type { EmailWithoutBodies, Recipient } from '../../model/emails.js';
import type { NewJob, Simulation } from '../../model/jobs.js';
import type { RecipientState, Transaction } from '../../transaction.js';
import { addressOf, recordEvent } from '../event-log.js';
import { requestRelease } from '../release/release-jobs.js';
import { recordDelivered } from './apply.js';
import { requestDelivery } from './deliver.js';
import { hasOwnDelay, outcomesFor, planSteps, scheduleStep } from './plan.js';

/** Sends an email after it was accepted. Specification: States and transitions; gaps 3 and 4. */

/** The job that sends a scheduled email. */
export interface SendJob extends NewJob {
  kind: 'email.send';
  payload: { emailId: string; outcome?: Outcome };
}

/** An email to send. */
export interface Dispatch<E extends EmailWithoutBodies> {
  email: E;
  recipients: Recipient[];
  /** The outcome requested for every recipient. */
  outcome?: Outcome | undefined;
  /** Milliseconds to the first step of an outcome without a delay of its own (gap 42). */
  delayMs: number;
}

const SUPPRESSED: Simulation = { outcome: 'dropped', dropReason: 'suppressed' };

/**
 * Returns the delivery delay of what a client sends now. It is 0 while the clock is moved forward: the clock passes the
 * delay anyway, and would otherwise have to stop for each new email.
 */
export function sendingDelay({ clock, deliveryDelayMs }: Pick<Core, 'clock' | 'deliveryDelayMs'>): number {
  return clock.moving ? 0 : deliveryDelayMs;
}

/**
 * Sends an email: records one event per recipient and starts each recipient's outcome, which is the requested one if
 * any. Skips suppressed and dropped recipients. Without a delivery delay, plain deliveries happen at once. Returns the
 * resulting email and recipients, which the caller stores in the same transaction.
 */
export async function dispatchEmail<E extends EmailWithoutBodies>(
  tx: Transaction,
  deps: EventDeps & Pick<Core, 'autoRelease'>,
  { email, recipients, outcome, delayMs }: Dispatch<E>,
): Promise<{ email: E; recipients: Recipient[] }> {
  const outcomeOf = await outcomesFor(tx, outcome, email.workspace);
  const after: Recipient[] = [];
  for (const recipient of recipients) {
    const suppressed = (await tx.suppressions.find(recipient.mailbox, email.workspace)) !== undefined;
    const chosen = suppressed ? SUPPRESSED : await outcomeOf(recipient.mailbox);
    after.push({ ...recipient, ...(await sendTo(tx, deps, { email, recipient, chosen, delayMs })) });
  }
  await requestRelease(tx, deps, email.id, after);
  const firstDue = after.find(({ dueAt }) => dueAt !== null)?.dueAt ?? null;
  if (firstDue !== null) await requestDelivery(tx, firstDue);
  const delivered = after.filter(({ status }) => status === 'delivered');
  for (const { address } of delivered) await recordDelivered(tx, deps, { emailId: email.id, address });
  const pending = after.filter(({ status }) => status === 'sent').length;
  const isDelivered = pending === 0 && delivered.length > 0;
  return {
    email: {
      ...email,
      status: isDelivered ? 'delivered' : 'sent',
      pending,
      deliveredAt: isDelivered ? deps.clock.now() : null,
    },
    recipients: after,
  };
}

interface Sending {
  email: EmailWithoutBodies;
  recipient: Recipient;
  chosen: Simulation;
  delayMs: number;
}

/** Sends to one recipient with the chosen outcome. Returns the recipient's state. */
async function sendTo(
  tx: Transaction,
  deps: EventDeps,
  { email, recipient, chosen, delayMs }: Sending,
): Promise<RecipientState> {
  const to = addressOf(recipient);
  if (chosen.outcome === 'dropped') {
    const dropped_at = timestamp(deps.clock.now());
    const reason = chosen.dropReason ?? 'invalid_address';
    await recordEvent(tx, deps, 'email.dropped', { email_id: email.id, to, dropped_at, reason });
    return DROPPED;
  }
  await tx.workspaces.countSent(email.workspace, monthOf(deps.clock.now()).start);
  await recordEvent(tx, deps, 'email.sent', {
    email_id: email.id,
    to,
    from: email.from,
    subject: email.subject,
    template_id: email.templateId,
    tags: email.tags,
  });
  const delay = chosen.delayMs ?? delayMs;
  const isPlain = chosen.outcome === 'delivered';
  if (isPlain && delay === 0) return DELIVERED;
  const steps = planSteps(chosen, stepsOf(chosen.outcome, email));
  if (hasOwnDelay(chosen) || delay === 0 || steps.length === 0) {
    await scheduleStep(tx, deps, { emailId: email.id, mailbox: recipient.mailbox }, steps);
    return SENT;
  }
  return { status: 'sent', dueAt: deps.clock.now() + delay, steps: isPlain ? null : steps };
}

const DROPPED: RecipientState = { status: 'dropped', dueAt: null, steps: null };
const DELIVERED: RecipientState = { status: 'delivered', dueAt: null, steps: null };
const SENT: RecipientState = { status: 'sent', dueAt: null, steps: null };

/** Adds the job that sends an email at its time. */
export async function scheduleSending(
  tx: Transaction,
  { id: emailId, scheduledAt }: Pick<EmailWithoutBodies, 'id' | 'scheduledAt'>,
  outcome: Outcome | undefined,
): Promise<void> {
  if (scheduledAt === null) return;
  const job: SendJob = { kind: 'email.send', runAt: scheduledAt, payload: { emailId, ...(outcome && { outcome }) } };
  await tx.jobs.add(job);
}

/** Sends a scheduled email when it is due, unless it was cancelled. */
export async function sendScheduled(
  tx: Transaction,
  deps: EventDeps & Pick<Core, 'deliveryDelayMs' | 'autoRelease'>,
  job: SendJob,
): Promise<void> {
  const { emailId, outcome } = job.payload;
  const email = await tx.emails.findWithoutBodies(emailId);
  if (!email) return tx.emails.keepJob(emailId, job);
  if (email.status !== 'scheduled') return;
  const due = { ...email, sentAt: deps.clock.now() };
  const sent = await dispatchEmail(tx, deps, {
    email: due,
    recipients: await tx.emails.recipients(emailId),
    outcome,
    delayMs: deps.deliveryDelayMs,
  });
  const { status, pending, sentAt, deliveredAt } = sent.email;
  await tx.emails.setStatus(emailId, { status, pending, sentAt, deliveredAt });
  for (const { mailbox, ...state } of sent.recipients) await tx.emails.setRecipient(emailId, mailbox, state);
}
