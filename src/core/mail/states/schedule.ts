import { type Outcome, stepsOf } from '../../../contract/vocabulary/outcomes.js';
import { monthOf } from '../../account/quota.js';
import { type Core, type EventDeps, timestamp } from '../../context.js';
import type { ItemKind, JobEffect, JobKind, SweepKind } from '../../jobs/job-kinds.js';
import type { DueRecipient, EmailState, EmailWithoutBodies, Recipient } from '../../model/emails.js';
import type { NewJob, Simulation, Step } from '../../model/jobs.js';
import type { RecipientState, Transaction } from '../../transaction.js';
import { addressOf, recordEvent } from '../event-log.js';
import { requestRelease } from '../release/release-jobs.js';
import { applyStep, type Engagement, recordDelivered, recordEngagement, stateAfter } from './apply.js';
import { hasOwnDelay, type OutcomeJob, outcomesFor, planSteps, scheduleStep } from './plan.js';

/** Processes an email after it was accepted. Specification: States and transitions; gaps 3 and 4. */

/** The job that sends a scheduled email. */
interface SendJob extends NewJob {
  kind: 'email.send';
  payload: { emailId: string; outcome?: Outcome };
}

/** The dependencies of running a step. */
export type StepDeps = Pick<Core, 'store' | 'clock' | 'ids' | 'deliveryDelayMs' | 'extractsOf' | 'autoRelease'>;

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
async function sendScheduled(
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

/**
 * Runs a recipient's next step and schedules the one after it. Ends the plan if the recipient's status does not allow
 * the step.
 */
export async function runStep(deps: StepDeps, job: OutcomeJob): Promise<JobEffect> {
  const { payload } = job;
  const { steps } = payload;
  // Only a click has to wait for a parser. Other steps must not wait, because later jobs depend on them.
  const [step, ...rest] = needsLink(steps[0]) ? await resolveLink(deps, payload) : steps;
  return async (tx) => {
    if (step && (await applyStep(tx, deps, payload, step))) await scheduleStep(tx, deps, payload, rest);
    else await tx.emails.keepJob(payload.emailId, job);
  };
}

/**
 * Returns the steps with the link to click in the next one. Finding the link needs a parser, which a transaction cannot
 * wait for.
 */
async function resolveLink(deps: StepDeps, { emailId, steps }: OutcomeJob['payload']): Promise<Step[]> {
  const [first, ...rest] = steps;
  if (!first) return steps;
  const url = await firstLink(deps, emailId);
  return url ? [{ ...first, url }, ...rest] : steps;
}

function needsLink(step: Step | undefined): boolean {
  return step?.name === 'click' && step.url === undefined;
}

/** Takes the first step of outcomes after the server's delivery delay. Gap 42. */

/** The job that takes all first steps that are due. */
interface DeliverJob extends NewJob {
  kind: 'email.deliver';
  payload: Record<string, never>;
}

/** Milliseconds between two sweeps under load, so that one transaction delivers many emails. */
const SWEEP_MS = 50;
/** Maximum number of recipients that one transaction delivers to. */
const BATCH = 256;

/** Takes first steps when they are due: one job for all emails, which runs again while any is pending. */
function deliverySweep(deps: EventDeps): SweepKind {
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
  const job: DeliverJob = { kind: 'email.deliver', runAt: dueAt, payload: {} };
  await tx.jobs.add(job);
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
async function deliverEarly(
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

/** Handles requests for pixels and tracked links. */

/** The job that records an open or a click after the deliveries that are due. */
interface EngagementJob extends NewJob {
  kind: 'email.engage';
  payload: Engagement;
}

/** Statuses after a delivery. A complaint follows a delivery (gap 3); all other statuses do not. */
const deliveredStatuses: readonly Recipient['status'][] = ['delivered', 'complained'];

/**
 * Handles a request for a pixel or a tracked link. It counts if the email was delivered to the recipient. A delivery
 * that only waits for the delivery delay happens first. If the delivery has a job that is due, a job records the request
 * afterwards. Otherwise only a developer or a scanner can have seen the email, and the request is ignored.
 */
export async function handleEngagement(tx: Transaction, deps: EventDeps, engagement: Engagement): Promise<void> {
  const recipient = await tx.emails.recipient(engagement.emailId, engagement.mailbox);
  if (!recipient) return;
  if (deliveredStatuses.includes(recipient.status) || (await deliverEarly(tx, deps, engagement.emailId, recipient))) {
    return recordEngagement(tx, deps, recipient, engagement);
  }
  if (recipient.status !== 'sent') return;
  // Runs after the delivery's job, which is already due unless the email is deferred.
  const job: EngagementJob = { kind: 'email.engage', runAt: deps.clock.now(), payload: engagement };
  await tx.jobs.add(job);
}

/** Runs the job of an open or a click that was requested before the delivery. */
async function runEngagementJob(tx: Transaction, deps: EventDeps, job: EngagementJob): Promise<void> {
  const engagement = job.payload;
  const recipient = await tx.emails.recipient(engagement.emailId, engagement.mailbox);
  if (!recipient) return tx.emails.keepJob(engagement.emailId, job);
  if (deliveredStatuses.includes(recipient.status)) {
    await recordEngagement(tx, deps, recipient, engagement);
  }
}

type MailJob = SendJob | DeliverJob | OutcomeJob | EngagementJob;

/** Returns the kinds of jobs that send and deliver mail. */
export function mailJobs(deps: StepDeps): Record<MailJob['kind'], JobKind> {
  return {
    'email.send': item<SendJob>(async (job) => (tx) => sendScheduled(tx, deps, job)),
    'email.deliver': deliverySweep(deps),
    'email.engage': item<EngagementJob>(async (job) => (tx) => runEngagementJob(tx, deps, job)),
    'email.outcome': item<OutcomeJob>((job) => runStep(deps, job)),
  };
}

function item<J extends MailJob>(run: (job: J) => Promise<JobEffect>): ItemKind {
  return { type: 'item', run: (job) => run(job as NewJob as J) };
}

/**
 * Returns the first web link of an email, from its HTML or else its text; null if it has none, or if finding it exceeds
 * the limits of one message.
 * @throws ProcessorUnavailableError if links cannot be found now. The result is recorded, so a guess is not acceptable.
 */
export async function firstLink({ extractsOf }: Pick<Core, 'extractsOf'>, emailId: string): Promise<string | null> {
  return (await extractsOf(emailId))?.links.find(({ href }) => /^https?:/i.test(href))?.href ?? null;
}
