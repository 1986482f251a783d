import type { Core, EventDeps } from '../../context.js';
import type { SweepKind } from '../../jobs/job-kinds.js';
import type { DueRecipient, EmailState, Recipient } from '../../model/emails.js';
import type { NewJob, Step } from '../../model/jobs.js';
import type { Transaction } from '../../transaction.js';
import { applyStep, recordDelivered, stateAfter } from './apply.js';
import { scheduleStep } from './plan.js';

/** Takes the first step of outcomes after the server's delivery delay. Gap 42. */

/** The job that takes all first steps that are due. */
export interface DeliverJob extends NewJob {
  kind: 'email.deliver';
  payload: Record<string, never>;
}

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
