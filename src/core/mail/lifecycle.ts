import type { EmailStatus } from '../../contract/service/emails.js';
import type { DropReason, Outcome } from '../../contract/vocabulary/outcome.js';
import { type Core, timestamp } from '../context.js';
import type { EmailWithoutBodies, Job, NewJob, Recipient } from '../model.js';
import type { Transaction } from '../transaction.js';
import { recordEvent } from './event-log.js';
import { firstLink } from './links.js';
import { type ChosenOutcome, isImmediateDelivery, outcomesFor, planSteps, type Step } from './outcomes.js';
import { applyStep, recordDelivered, worseStatus } from './transitions.js';

/** What happens to an email after it was accepted. Specification: States and transitions; decisions 3 and 4. */

type EventDeps = Pick<Core, 'clock' | 'ids'>;

/** Runs the first of the steps and schedules the rest. */
export interface OutcomeJob extends NewJob {
  kind: 'email.outcome';
  payload: { emailId: string; mailbox: string; steps: Step[] };
}

/** Sends a scheduled email. */
export interface SendJob extends NewJob {
  kind: 'email.send';
  payload: { emailId: string; outcome?: Outcome };
}

const DROPPED: ChosenOutcome = { outcome: 'dropped' };

/** The jobs that hold what is still to happen to a recipient's mail. */
export const outcomeJobs: readonly OutcomeJob['kind'][] = ['email.outcome'];

/**
 * Sends an email: records one event per recipient and starts each recipient’s outcome, the requested one if any.
 * Suppressed and dropped recipients are not sent to. A plain delivery happens at once; other outcomes are scheduled.
 * Returns the email and its recipients as they are afterwards, and warnings, for the caller to store in the same
 * transaction.
 */
export async function dispatchEmail<E extends EmailWithoutBodies>(
  tx: Transaction,
  deps: EventDeps,
  email: E,
  recipients: Recipient[],
  requestedOutcome?: Outcome,
): Promise<{ email: E; recipients: Recipient[]; warnings: string[] }> {
  const outcomeOf = await outcomesFor(tx, requestedOutcome);
  const statuses = new Map<string, EmailStatus>();
  const warnings: string[] = [];
  for (const { mailbox } of recipients) {
    const suppressed = (await tx.suppressions.find(mailbox)) !== undefined;
    const simulation = suppressed ? DROPPED : await outcomeOf(mailbox);
    if (simulation.warning !== undefined) warnings.push(simulation.warning);
    if (simulation.outcome === 'dropped') {
      const reason = suppressed ? 'suppressed' : (simulation.dropReason ?? 'invalid_address');
      await recordDropped(tx, deps, email.id, mailbox, reason);
      statuses.set(mailbox, 'dropped');
      continue;
    }
    await recordEvent(tx, deps, 'email.sent', {
      email_id: email.id,
      to: mailbox,
      from: email.from,
      subject: email.subject,
      template_id: email.templateId,
      tags: email.tags,
    });
    if (isImmediateDelivery(simulation)) statuses.set(mailbox, 'delivered');
    else await scheduleStep(tx, deps, email.id, mailbox, planSteps(simulation));
  }
  const after = recipients.map((recipient) => ({ ...recipient, status: statuses.get(recipient.mailbox) ?? 'sent' }));
  const delivered = after.filter(({ status }) => status === 'delivered');
  for (const { mailbox } of delivered) await recordDelivered(tx, deps, email.id, mailbox);
  return {
    email: {
      ...email,
      status: after.reduce<EmailStatus>((worst, { status }) => worseStatus(worst, status), 'sent'),
      sentAt: after.every(({ status }) => status === 'dropped') ? null : email.sentAt,
      deliveredAt: delivered.length > 0 ? deps.clock.now() : null,
    },
    recipients: after,
    warnings,
  };
}

/** Runs a scheduled email's job: it is sent, unless it was cancelled. */
export async function sendScheduled(
  tx: Transaction,
  deps: EventDeps,
  { emailId, outcome }: SendJob['payload'],
): Promise<void> {
  const email = await tx.emails.findWithoutBodies(emailId);
  if (email?.status !== 'scheduled') return;
  const due = { ...email, sentAt: deps.clock.now() };
  const sent = await dispatchEmail(tx, deps, due, await tx.emails.recipients(emailId), outcome);
  const { status, sentAt, deliveredAt } = sent.email;
  await tx.emails.setStatus(emailId, { status, sentAt, deliveredAt });
  for (const recipient of sent.recipients)
    await tx.emails.setRecipientStatus(emailId, recipient.mailbox, recipient.status);
  for (const warning of sent.warnings) await tx.emails.warn(emailId, warning);
}

/** Schedules the first of a recipient’s steps; its job schedules the next. */
export async function scheduleStep(
  tx: Transaction,
  deps: EventDeps,
  emailId: string,
  mailbox: string,
  steps: Step[],
): Promise<void> {
  const [first] = steps;
  if (!first) return;
  const runAt = deps.clock.now() + first.afterMs;
  const job: OutcomeJob = { kind: 'email.outcome', runAt, payload: { emailId, mailbox, steps } };
  await tx.jobs.add(job);
}

/** Runs the job of a recipient’s next step. A step that its status no longer allows ends the plan. */
export async function runStep(core: Core, { seq, payload }: Job): Promise<void> {
  const { emailId, mailbox, steps } = payload as OutcomeJob['payload'];
  // Only a click has to wait for a parser; every other step is written in its turn, before what was lined up after it.
  const [step, ...rest] = needsLink(steps[0]) ? await resolveLink(core, emailId, steps) : steps;
  await core.store.write(async (tx) => {
    if (!(await tx.jobs.complete(seq))) return;
    if (step && (await applyStep(tx, core, emailId, mailbox, step)))
      await scheduleStep(tx, core, emailId, mailbox, rest);
  });
}

/** The steps, the next one with the link that it clicks. Finding it takes a parser, which a transaction cannot wait for. */
async function resolveLink(core: Core, emailId: string, steps: Step[]): Promise<Step[]> {
  const [first, ...rest] = steps;
  if (!first) return steps;
  const email = await core.store.read.emails.find(emailId);
  const url = email && (await firstLink(core, email));
  return url ? [{ ...first, url }, ...rest] : steps;
}

function needsLink(step: Step | undefined): boolean {
  return step?.name === 'click' && step.url === undefined;
}

async function recordDropped(
  tx: Transaction,
  deps: EventDeps,
  emailId: string,
  mailbox: string,
  reason: DropReason,
): Promise<void> {
  await recordEvent(tx, deps, 'email.dropped', {
    email_id: emailId,
    to: mailbox,
    dropped_at: timestamp(deps.clock.now()),
    reason,
  });
}
