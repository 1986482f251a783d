import type { EmailStatus } from '../contract/email.js';
import type { DropReason, Outcome } from '../contract/outcome.js';
import { type Core, timestamp } from './context.js';
import { recordEvent } from './event-log.js';
import { firstLink } from './mail-links.js';
import type { Email, Job, NewJob, Recipient } from './model.js';
import { isPlain, outcomesFor, planOf, type Step } from './outcomes.js';
import type { Transaction } from './ports.js';
import { perform } from './steps.js';

/** What happens to an email after it was accepted. Specification: States and transitions; decisions 3 and 4. */

type Making = Pick<Core, 'clock' | 'ids'>;

/** Delivers one recipient's mail. */
export interface DeliverJob extends NewJob {
  kind: 'email.deliver';
  payload: { emailId: string; mailbox: string };
}

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

/** The jobs that hold what is still to happen to a recipient's mail. */
export const outcomeJobs: readonly (DeliverJob | OutcomeJob)['kind'][] = ['email.deliver', 'email.outcome'];

/**
 * Reports an email as sent, one event a recipient, and lines up each recipient's outcome: the one named, if any. A recipient
 * that is suppressed, or is to be dropped, is not sent to. Answers the email's status.
 */
export async function reportSent(
  tx: Transaction,
  making: Making,
  email: Email,
  recipients: Recipient[],
  named?: Outcome,
): Promise<EmailStatus> {
  const outcomeOf = await outcomesFor(tx, named);
  let dropped = 0;
  for (const { mailbox } of recipients) {
    const suppressed = (await tx.suppressions.find(mailbox)) !== undefined;
    const simulation = suppressed ? { outcome: 'dropped' as const } : await outcomeOf(mailbox);
    if (simulation.outcome === 'dropped') {
      const reason = suppressed ? 'suppressed' : (simulation.dropReason ?? 'invalid_address');
      await drop(tx, making, email.id, mailbox, reason);
      dropped += 1;
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
    if (isPlain(simulation)) {
      const payload = { emailId: email.id, mailbox };
      const job: DeliverJob = { kind: 'email.deliver', runAt: making.clock.now(), payload };
      await tx.jobs.add(job);
    } else {
      await lineUp(tx, making, email.id, mailbox, planOf(simulation));
    }
  }
  if (dropped === 0) return 'sent';
  await tx.emails.setStatus(email.id, {
    status: 'dropped',
    ...(dropped === recipients.length && { sentAt: null }),
  });
  return 'dropped';
}

/** Runs a scheduled email's job: it is sent, unless it was cancelled. */
export async function sendScheduled(
  tx: Transaction,
  making: Making,
  { emailId, outcome }: SendJob['payload'],
): Promise<void> {
  const email = await tx.emails.find(emailId);
  if (email?.status !== 'scheduled') return;
  await tx.emails.setStatus(emailId, { status: 'sent', sentAt: making.clock.now() });
  for (const { mailbox } of await tx.emails.recipients(emailId))
    await tx.emails.setRecipientStatus(emailId, mailbox, 'sent');
  await reportSent(tx, making, email, await tx.emails.recipients(emailId), outcome);
}

/** Runs a recipient's delivery. */
export async function deliver(
  tx: Transaction,
  making: Making,
  { emailId, mailbox }: DeliverJob['payload'],
): Promise<void> {
  await perform(tx, making, emailId, mailbox, { name: 'deliver', afterMs: 0 });
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

async function drop(
  tx: Transaction,
  making: Making,
  emailId: string,
  mailbox: string,
  reason: DropReason,
): Promise<void> {
  await tx.emails.setRecipientStatus(emailId, mailbox, 'dropped');
  await recordEvent(tx, making, 'email.dropped', {
    email_id: emailId,
    to: mailbox,
    dropped_at: timestamp(making.clock.now()),
    reason,
  });
}
