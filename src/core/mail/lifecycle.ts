import type { EmailStatus } from '../../contract/service/emails.js';
import type { Outcome } from '../../contract/vocabulary/outcome.js';
import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';
import { type Core, type EventDeps, timestamp } from '../context.js';
import type { JobEffect } from '../jobs/job-kinds.js';
import type { EmailWithoutBodies, Recipient, RecipientRef } from '../model/emails.js';
import type { NewJob } from '../model/jobs.js';
import type { Transaction } from '../transaction.js';
import { recordEvent } from './event-log.js';
import { firstLink } from './links.js';
import { type ChosenOutcome, isImmediateDelivery, outcomesFor, planSteps, type Step } from './outcomes.js';
import { applyStep, recordDelivered, worseStatus } from './transitions.js';

/** Processes an email after it was accepted. Specification: States and transitions; gaps 3 and 4. */

/** The job that runs the first of the steps and schedules the rest. */
export interface OutcomeJob extends NewJob {
  kind: 'email.outcome';
  payload: RecipientRef & { steps: Step[] };
}

/** The job that sends a scheduled email. */
export interface SendJob extends NewJob {
  kind: 'email.send';
  payload: { emailId: string; outcome?: Outcome };
}

/** The dependencies of running a step. */
export type StepDeps = Pick<Core, 'store' | 'clock' | 'ids' | 'findHtmlLinks' | 'findTextLinks'>;

/** An email to send. */
export interface Dispatch<E extends EmailWithoutBodies> {
  email: E;
  recipients: Recipient[];
  /** The outcome requested for every recipient. */
  outcome?: Outcome | undefined;
}

const SUPPRESSED: ChosenOutcome = { outcome: 'dropped', dropReason: 'suppressed' };

/** The kinds of jobs with the remaining steps of a recipient. */
export const outcomeJobs: readonly OutcomeJob['kind'][] = ['email.outcome'];

/**
 * Sends an email: records one event per recipient and starts each recipient's outcome, which is the requested one if
 * any. Skips suppressed and dropped recipients. Plain deliveries happen at once; other outcomes are scheduled. Returns
 * the resulting email, recipients and warnings, which the caller stores in the same transaction.
 */
export async function dispatchEmail<E extends EmailWithoutBodies>(
  tx: Transaction,
  deps: EventDeps,
  { email, recipients, outcome }: Dispatch<E>,
): Promise<{ email: E; recipients: Recipient[]; warnings: ServiceWarning[] }> {
  const outcomeOf = await outcomesFor(tx, outcome);
  const after: Recipient[] = [];
  const warnings: ServiceWarning[] = [];
  for (const recipient of recipients) {
    const suppressed = (await tx.suppressions.find(recipient.mailbox)) !== undefined;
    const chosen: ChosenOutcome = suppressed ? SUPPRESSED : await outcomeOf(recipient.mailbox);
    if (chosen.warning !== undefined) warnings.push(chosen.warning);
    const status = await sendTo(tx, deps, { email, mailbox: recipient.mailbox, chosen });
    after.push({ ...recipient, status });
  }
  const delivered = after.filter(({ status }) => status === 'delivered');
  for (const { mailbox } of delivered) await recordDelivered(tx, deps, { emailId: email.id, mailbox });
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

/** Sends to one recipient with the chosen outcome. Returns the recipient's status. */
async function sendTo(
  tx: Transaction,
  deps: EventDeps,
  { email, mailbox, chosen }: { email: EmailWithoutBodies; mailbox: string; chosen: ChosenOutcome },
): Promise<EmailStatus> {
  if (chosen.outcome === 'dropped') {
    const dropped_at = timestamp(deps.clock.now());
    const reason = chosen.dropReason ?? 'invalid_address';
    await recordEvent(tx, deps, 'email.dropped', { email_id: email.id, to: mailbox, dropped_at, reason });
    return 'dropped';
  }
  await recordEvent(tx, deps, 'email.sent', {
    email_id: email.id,
    to: mailbox,
    from: email.from,
    subject: email.subject,
    template_id: email.templateId,
    tags: email.tags,
  });
  if (isImmediateDelivery(chosen)) return 'delivered';
  await scheduleStep(tx, deps, { emailId: email.id, mailbox }, planSteps(chosen));
  return 'sent';
}

/** Sends a scheduled email when it is due, unless it was cancelled. */
export async function sendScheduled(
  tx: Transaction,
  deps: EventDeps,
  { emailId, outcome }: SendJob['payload'],
): Promise<void> {
  const email = await tx.emails.findWithoutBodies(emailId);
  if (email?.status !== 'scheduled') return;
  const due = { ...email, sentAt: deps.clock.now() };
  const sent = await dispatchEmail(tx, deps, {
    email: due,
    recipients: await tx.emails.recipients(emailId),
    outcome,
  });
  const { status, sentAt, deliveredAt } = sent.email;
  await tx.emails.setStatus(emailId, { status, sentAt, deliveredAt });
  for (const recipient of sent.recipients)
    await tx.emails.setRecipientStatus(emailId, recipient.mailbox, recipient.status);
  for (const warning of sent.warnings) await tx.emails.warn(emailId, warning);
}

/** Schedules the first of a recipient's steps. Its job schedules the next one. */
export async function scheduleStep(
  tx: Transaction,
  deps: EventDeps,
  { emailId, mailbox }: RecipientRef,
  steps: Step[],
): Promise<void> {
  const [first] = steps;
  if (!first) return;
  const runAt = deps.clock.now() + first.afterMs;
  const job: OutcomeJob = { kind: 'email.outcome', runAt, payload: { emailId, mailbox, steps } };
  await tx.jobs.add(job);
}

/**
 * Runs a recipient's next step and schedules the one after it. Ends the plan if the recipient's status does not allow
 * the step.
 */
export async function runStep(deps: StepDeps, payload: OutcomeJob['payload']): Promise<JobEffect> {
  const { steps } = payload;
  // Only a click has to wait for a parser. Other steps must not wait, because later jobs depend on them.
  const [step, ...rest] = needsLink(steps[0]) ? await resolveLink(deps, payload) : steps;
  return async (tx) => {
    if (step && (await applyStep(tx, deps, payload, step))) await scheduleStep(tx, deps, payload, rest);
  };
}

/**
 * Returns the steps with the link to click in the next one. ServiceWarning the link needs a parser, which a transaction cannot
 * wait for.
 */
async function resolveLink(deps: StepDeps, { emailId, steps }: OutcomeJob['payload']): Promise<Step[]> {
  const [first, ...rest] = steps;
  if (!first) return steps;
  const email = await deps.store.read.emails.find(emailId);
  const url = email && (await firstLink(deps, email));
  return url ? [{ ...first, url }, ...rest] : steps;
}

function needsLink(step: Step | undefined): boolean {
  return step?.name === 'click' && step.url === undefined;
}
