import type { EmailStatus } from '../contract/email.js';
import type { DropReason, Outcome } from '../contract/outcome.js';
import { type Core, timestamp } from './context.js';
import { recordEvent } from './event-log.js';
import { firstLink } from './mail-links.js';
import type { EmailWithoutBodies, Job, NewJob, Recipient } from './model.js';
import { type ChosenOutcome, isPlain, outcomesFor, planOf, type Step } from './outcomes.js';
import { perform, recordDelivered, worseStatus } from './steps.js';
import type { Transaction } from './transaction.js';

/** What happens to an email after it was accepted. Specification: States and transitions; decisions 3 and 4. */

type Making = Pick<Core, 'clock' | 'ids'>;

/** Plays out the first of the steps, and lines up the rest. */
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
 * Sends an email out: reports it as sent, one event a recipient, and begins each recipient's outcome: the one named, if any. A
 * recipient that is suppressed, or is to be dropped, is not sent to. One whose mail is simply delivered has it delivered here
 * and now; any other outcome is lined up. Answers the email and its recipients as they are afterwards, and what is to be said
 * of the recipients, for the caller to keep in the same transaction.
 */
export async function sendOut<E extends EmailWithoutBodies>(
  tx: Transaction,
  making: Making,
  email: E,
  recipients: Recipient[],
  named?: Outcome,
): Promise<{ email: E; recipients: Recipient[]; warnings: string[] }> {
  const outcomeOf = await outcomesFor(tx, named);
  const statuses = new Map<string, EmailStatus>();
  const warnings: string[] = [];
  for (const { mailbox } of recipients) {
    const suppressed = (await tx.suppressions.find(mailbox)) !== undefined;
    const simulation = suppressed ? DROPPED : await outcomeOf(mailbox);
    if (simulation.warning !== undefined) warnings.push(simulation.warning);
    if (simulation.outcome === 'dropped') {
      const reason = suppressed ? 'suppressed' : (simulation.dropReason ?? 'invalid_address');
      await recordDropped(tx, making, email.id, mailbox, reason);
      statuses.set(mailbox, 'dropped');
      continue;
    }
    await recordEvent(tx, making, 'email.sent', {
      email_id: email.id,
      to: mailbox,
      from: email.from,
      subject: email.subject,
      template_id: email.templateId,
      tags: email.tags,
    });
    if (isPlain(simulation)) statuses.set(mailbox, 'delivered');
    else await lineUp(tx, making, email.id, mailbox, planOf(simulation));
  }
  const after = recipients.map((recipient) => ({ ...recipient, status: statuses.get(recipient.mailbox) ?? 'sent' }));
  const delivered = after.filter(({ status }) => status === 'delivered');
  for (const { mailbox } of delivered) await recordDelivered(tx, making, email.id, mailbox);
  return {
    email: {
      ...email,
      status: after.reduce<EmailStatus>((worst, { status }) => worseStatus(worst, status), 'sent'),
      sentAt: after.every(({ status }) => status === 'dropped') ? null : email.sentAt,
      deliveredAt: delivered.length > 0 ? making.clock.now() : null,
    },
    recipients: after,
    warnings,
  };
}

/** Runs a scheduled email's job: it is sent, unless it was cancelled. */
export async function sendScheduled(
  tx: Transaction,
  making: Making,
  { emailId, outcome }: SendJob['payload'],
): Promise<void> {
  const email = await tx.emails.findWithoutBodies(emailId);
  if (email?.status !== 'scheduled') return;
  const due = { ...email, sentAt: making.clock.now() };
  const sent = await sendOut(tx, making, due, await tx.emails.recipients(emailId), outcome);
  const { status, sentAt, deliveredAt } = sent.email;
  await tx.emails.setStatus(emailId, { status, sentAt, deliveredAt });
  for (const recipient of sent.recipients)
    await tx.emails.setRecipientStatus(emailId, recipient.mailbox, recipient.status);
  for (const warning of sent.warnings) await tx.emails.warn(emailId, warning);
}

/** Lines up the first of a recipient's steps; the others come after it. */
export async function lineUp(
  tx: Transaction,
  making: Making,
  emailId: string,
  mailbox: string,
  steps: Step[],
): Promise<void> {
  const [first] = steps;
  if (!first) return;
  const runAt = making.clock.now() + first.afterMs;
  const job: OutcomeJob = { kind: 'email.outcome', runAt, payload: { emailId, mailbox, steps } };
  await tx.jobs.add(job);
}

/** Runs the job of a recipient's next step. A step that can no longer happen ends the plan. */
export async function playOut(core: Core, { seq, payload }: Job): Promise<void> {
  const { emailId, mailbox, steps } = payload as OutcomeJob['payload'];
  // Only a click has to wait for a parser; every other step is written in its turn, before what was lined up after it.
  const [step, ...rest] = lacksLink(steps[0]) ? await withLinks(core, emailId, steps) : steps;
  await core.store.write(async (tx) => {
    if (!(await tx.jobs.complete(seq))) return;
    if (step && (await perform(tx, core, emailId, mailbox, step))) await lineUp(tx, core, emailId, mailbox, rest);
  });
}

/** The steps, the next one with the link that it clicks. Finding it takes a parser, which a transaction cannot wait for. */
async function withLinks(core: Core, emailId: string, steps: Step[]): Promise<Step[]> {
  const [first, ...rest] = steps;
  if (!first) return steps;
  const email = await core.store.read.emails.find(emailId);
  const url = email && (await firstLink(core, email));
  return url ? [{ ...first, url }, ...rest] : steps;
}

function lacksLink(step: Step | undefined): boolean {
  return step?.name === 'click' && step.url === undefined;
}

async function recordDropped(
  tx: Transaction,
  making: Making,
  emailId: string,
  mailbox: string,
  reason: DropReason,
): Promise<void> {
  await recordEvent(tx, making, 'email.dropped', {
    email_id: emailId,
    to: mailbox,
    dropped_at: timestamp(making.clock.now()),
    reason,
  });
}
