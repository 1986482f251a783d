import type { SimulateEmail } from '../../../../contract/control/simulation/outcomes.js';
import { normalizeAddress, parseAddress } from '../../../../contract/vocabulary/addresses.js';
import { invalidField, ServiceError } from '../../../../contract/vocabulary/errors.js';
import { remainingSteps } from '../../../../contract/vocabulary/outcomes.js';
import { type Core, type EventDeps, timestampOrNull } from '../../../context.js';
import { afterParsing } from '../../../mail/inbound/message-reader.js';
import { applyStep, firstLink, planSteps, scheduleStep } from '../../../mail/states/outcomes.js';
import type { Email, EmailWithoutBodies, Recipient, RecipientRef } from '../../../model/emails.js';
import type { Simulation, Step } from '../../../model/outcomes.js';
import type { Transaction } from '../../../transaction.js';
import { beingParsed, unknownEmail } from '../../service/emails.js';
import type { ControlHandler, ControlHandlers } from '../context.js';

/**
 * Simulates an outcome for a sent email. It replaces the remaining steps for the recipient. Steps without a delay are
 * applied before this returns.
 */
const simulateEmail: ControlHandler<'emails.simulate'> = async ({ params: { id }, body }, core) => {
  const email = await core.store.read.emails.find(id);
  if (!email) throw unknownEmail(id);
  if (await core.store.read.emails.isParsing(id)) throw beingParsed(id);
  const simulation = await simulationOf(body, email, core);
  return core.store.write(async (tx) => {
    const current = await tx.emails.findWithoutBodies(id);
    if (!current) throw unknownEmail(id);
    const targets = recipientsOf(await tx.emails.recipients(id), body, id);
    const opened = new Set(
      (await tx.events.ofEmail(id)).filter(({ type }) => type === 'email.opened').map(({ recipient }) => recipient),
    );
    let mailboxes: string[] = [];
    let dueAt: number | null = null;
    for (const { mailbox, status } of targets) {
      const steps = stepsFrom(simulation, status, opened.has(mailbox) || !email.trackOpens);
      if (!steps) continue;
      await tx.emails.setRecipient(id, mailbox, { status, dueAt: null, steps: null });
      dueAt = (await replaceSteps(tx, core, { emailId: id, mailbox }, steps)) ?? dueAt;
      mailboxes = [...mailboxes, mailbox];
    }
    if (mailboxes.length === 0) throw conflictFor(current, targets, simulation);
    const recipients = (await tx.emails.recipients(id)).filter(({ mailbox }) => mailboxes.includes(mailbox));
    return {
      id,
      outcome: body.outcome,
      status: (await tx.emails.findWithoutBodies(id))?.status ?? current.status,
      recipients: recipients.map(({ mailbox, status }) => ({ address: mailbox, status })),
      url: simulation.url ?? null,
      due_at: timestampOrNull(dueAt),
    };
  });
};

async function simulationOf(body: SimulateEmail, email: Email, core: Core): Promise<Simulation> {
  const url = body.outcome === 'clicked' ? (body.url ?? (await firstLink(core, email.id))) : undefined;
  if (url === null) throw invalidField('url', 'is required, because the email has no link');
  return {
    outcome: body.outcome,
    bounceType: body.bounce_type,
    complaintType: body.complaint_type,
    reason: body.reason,
    delayMs: body.delay,
    url,
    ip: body.ip_address,
    userAgent: body.user_agent,
  };
}

/** Returns the recipients to simulate the outcome for. A request never affects several of them by accident. */
function recipientsOf(recipients: Recipient[], { recipient, all }: SimulateEmail, id: string): Recipient[] {
  const mailboxes = formatList(recipients.map(({ mailbox }) => mailbox));
  if (recipient === undefined) {
    if (all || recipients.length < 2) return recipients;
    throw new ServiceError(
      'invalid',
      `Email ${id} has ${recipients.length} recipients: ${mailboxes}.`,
      [{ path: 'recipient', message: 'is required for an email with several recipients' }],
      'Set recipient to one of them, or all to true.',
    );
  }
  const wanted = normalizeAddress(parseAddress(recipient).address);
  const found = recipients.filter(({ mailbox }) => mailbox === wanted);
  if (found.length === 0) throw invalidField('recipient', `must be one of ${mailboxes}`);
  return found;
}

/** Returns the remaining steps of an outcome; undefined if the outcome is not allowed after the recipient's status. */
function stepsFrom(simulation: Simulation, status: Recipient['status'], opened: boolean): Step[] | undefined {
  const names = remainingSteps(simulation.outcome, status, opened);
  return names && planSteps(simulation, names);
}

/** Applies the steps without a delay, and returns when the next one is due. */
async function replaceSteps(
  tx: Transaction,
  deps: EventDeps,
  ref: RecipientRef,
  steps: Step[],
): Promise<number | null> {
  await tx.jobs.cancelPending(['email.outcome'], ref.emailId, ref.mailbox);
  let rest = steps;
  while (rest[0]?.afterMs === 0) {
    await applyStep(tx, deps, ref, rest[0]);
    rest = rest.slice(1);
  }
  return scheduleStep(tx, deps, ref, rest);
}

function conflictFor(email: EmailWithoutBodies, recipients: Recipient[], { outcome }: Simulation): ServiceError {
  const conflict = (message: string, hint: string) => new ServiceError('conflict', message, undefined, hint);
  if (email.status === 'scheduled') {
    return conflict(`Email ${email.id} is scheduled and not sent yet.`, 'Wait, or advance the clock, then try again.');
  }
  if (email.status === 'cancelled')
    return conflict(`Email ${email.id} is cancelled; no outcome can be simulated for it.`, SEND_ANOTHER);
  if (outcome === 'dropped') {
    return conflict(
      `Email ${email.id} is already sent and cannot be dropped.`,
      'Use a rule, the X-Service-Simulate header or dropped@simulator.test before sending.',
    );
  }
  if (recipients.every(({ status }) => status === outcome)) {
    const has = recipients.length === 1 ? 'has' : 'have';
    return conflict(
      `${formatList(recipients.map(({ mailbox }) => mailbox))} already ${has} the outcome ${outcome}.`,
      SEND_ANOTHER,
    );
  }
  const states = recipients.map(({ mailbox, status }) => `${mailbox} is ${status}`);
  return conflict(`Cannot simulate "${nameOf(outcome)}" for ${email.id}: ${formatList(states)}.`, SEND_ANOTHER);
}

const SEND_ANOTHER = 'Send another email, and simulate the outcome for that one.';

function nameOf(outcome: Simulation['outcome']): string {
  return outcome === 'none' ? 'paused' : outcome.replace('-', ' ');
}

const LISTED_MAX = 5;

function formatList(items: readonly string[]): string {
  const more = items.length - LISTED_MAX;
  return items.slice(0, LISTED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

export const simulateHandlers = {
  'emails.simulate': afterParsing(simulateEmail),
} satisfies Partial<ControlHandlers>;
