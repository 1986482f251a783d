import { type Outcome, stepsOf } from '../../../contract/vocabulary/outcomes.js';
import { monthOf } from '../../account/quota.js';
import { type Core, type EventDeps, timestamp } from '../../context.js';
import type { ItemKind, SweepKind } from '../../jobs/job-kinds.js';
import type { DueRecipient, EmailState, EmailWithoutBodies, Recipient } from '../../model/emails.js';
import type { Job } from '../../model/jobs.js';
import type { Simulation, Step } from '../../model/outcomes.js';
import type { RecipientState, Transaction } from '../../transaction.js';
import { addressOf, recordDelivered, recordEvent } from '../event-log.js';
import { requestRelease } from '../release/release-jobs.js';
import { applyStep, outcomesFor, planSteps, scheduleStep, stateAfter } from './outcomes.js';

/** Sends emails that were accepted. Specification: States and transitions; gaps 3 and 4. */

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

/** Returns whether the first step has a delay of its own, which replaces the server's delivery delay (gap 42). */
function hasOwnDelay({ outcome, delayMs }: Simulation): boolean {
  return delayMs !== undefined || outcome === 'deferred';
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
  const payload = { emailId, ...(outcome && { outcome }) };
  await tx.jobs.add({ kind: 'email.send', runAt: scheduledAt, payload });
}

type SendDeps = EventDeps & Pick<Core, 'deliveryDelayMs' | 'autoRelease'>;

/** Returns the kind of job that sends a scheduled email, unless it was cancelled. */
export function sendKind(deps: SendDeps): ItemKind<'email.send'> {
  return { type: 'item', run: async (job) => (tx) => sendScheduled(tx, deps, job) };
}

async function sendScheduled(tx: Transaction, deps: SendDeps, job: Job<'email.send'>): Promise<void> {
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

/** Takes the first step of outcomes after the server's delivery delay. Gap 42. */

/** Milliseconds between two sweeps under load, so that one transaction delivers many emails. */
const SWEEP_MS = 50;
/** Maximum number of recipients that one transaction delivers to. */
const BATCH = 256;

/** Takes first steps when they are due: one job for all emails, which runs again while any is pending. */
export function deliverySweep(deps: EventDeps): SweepKind {
  return {
    type: 'sweep',
    async run(tx) {
      const now = deps.clock.now();
      const isFull = (await deliverDue(tx, deps, now)) === BATCH;
      const next = await tx.emails.nextDue();
      return next === null ? null : Math.max(next, isFull ? 0 : now + SWEEP_MS);
    },
  };
}

/** Makes sure that a sweep runs when a first step is due, or within SWEEP_MS afterwards. */
export async function requestDelivery(tx: Transaction, dueAt: number): Promise<void> {
  if (await tx.jobs.hasDue('email.deliver', dueAt + SWEEP_MS)) return;
  await tx.jobs.add({ kind: 'email.deliver', runAt: dueAt, payload: {} });
}

/** Takes every pending first step now: before a stop or an export, after which no one could see it happen. */
export async function deliverPending(deps: EventDeps & Pick<Core, 'store'>): Promise<void> {
  if ((await deps.store.read.emails.nextDue()) === null) return;
  while ((await deps.store.write((tx) => deliverDue(tx, deps, Number.MAX_SAFE_INTEGER))) === BATCH);
}

/** Keeps the remaining delay of pending first steps when the clock is moved back. */
export async function shiftPending(tx: Transaction, by: number): Promise<void> {
  await tx.emails.shiftDue(by);
  await tx.jobs.shift('email.deliver', by);
}

/** Delivers to a recipient whose delivery only waits for the delay. Returns whether it did. */
export async function deliverEarly(
  tx: Transaction,
  deps: EventDeps,
  emailId: string,
  { mailbox, address, dueAt, steps }: Recipient,
): Promise<boolean> {
  if (dueAt === null || !isDelivery(steps)) return false;
  const before = await tx.emails.state(emailId);
  if (!before) return false;
  await tx.emails.setStatus(emailId, await deliver(tx, deps, { emailId, mailbox, address, steps }, before));
  return true;
}

/** Takes the first steps that are due at `until`: at most BATCH. Returns the number of those that it took. */
async function deliverDue(tx: Transaction, deps: EventDeps, until: number): Promise<number> {
  const due = await tx.emails.due(until, BATCH);
  const states = new Map<string, EmailState>();
  let taken = 0;
  for (const recipient of due) {
    const { emailId, steps } = recipient;
    const known = states.get(emailId);
    if (!isDelivery(steps)) {
      // The step reads the state of the email, and changes it.
      if (known) await tx.emails.setStatus(emailId, known);
      states.delete(emailId);
      await startOutcome(tx, deps, recipient, steps);
      taken += 1;
      continue;
    }
    const before = known ?? (await tx.emails.state(emailId));
    if (!before) continue;
    states.set(emailId, await deliver(tx, deps, recipient, before));
    taken += 1;
  }
  for (const [emailId, state] of states) await tx.emails.setStatus(emailId, state);
  return taken;
}

/** Records a delivery and schedules the steps after it. Returns the state of the email, which the caller stores. */
async function deliver(
  tx: Transaction,
  deps: EventDeps,
  recipient: DueRecipient,
  before: EmailState,
): Promise<EmailState> {
  const { emailId, mailbox, steps } = recipient;
  await tx.emails.setRecipient(emailId, mailbox, { status: 'delivered', dueAt: null, steps: null });
  await recordDelivered(tx, deps, recipient);
  if (steps) await scheduleStep(tx, deps, recipient, steps.slice(1));
  return stateAfter(before, { from: 'sent', to: 'delivered' }, deps.clock.now());
}

/** Takes another first step, such as a bounce, and schedules the steps after it. */
async function startOutcome(
  tx: Transaction,
  deps: EventDeps,
  recipient: DueRecipient,
  [first, ...rest]: Step[],
): Promise<void> {
  if (first && (await applyStep(tx, deps, recipient, first))) {
    await scheduleStep(tx, deps, recipient, rest);
    return;
  }
  // A step that its status forbids. Without a due time, the next sweep does not find it again.
  const { emailId, mailbox } = recipient;
  const stored = await tx.emails.recipient(emailId, mailbox);
  if (stored) await tx.emails.setRecipient(emailId, mailbox, { status: stored.status, dueAt: null, steps: null });
}

function isDelivery(steps: Step[] | null): steps is null | [Step, ...Step[]] {
  return steps === null || steps[0]?.name === 'deliver';
}
