import { matchesRecipient } from '../../../contract/recipient-pattern.js';
import type { EmailStatus, RecipientStatus } from '../../../contract/service/emails.js';
import { nearestName } from '../../../contract/vocabulary/nearest-name.js';
import {
  complaintTypes,
  DEFERRED_MS,
  dropReasons,
  isAllowedFrom,
  isOutcome,
  MAGIC_DOMAIN,
  type Outcome,
  outcomes,
  type StepName,
} from '../../../contract/vocabulary/outcomes.js';
import { firstFew } from '../../../contract/vocabulary/text.js';
import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import { type Core, type EventDeps, timestamp } from '../../context.js';
import type { ItemKind, JobEffect } from '../../jobs/job-kinds.js';
import type { EmailState, EmailWithoutBodies, Engagement, Recipient, RecipientRef } from '../../model/emails.js';
import type { Job, JobPayloads } from '../../model/jobs.js';
import type { Simulation, Step } from '../../model/outcomes.js';
import type { StatusChange, Transaction } from '../../transaction.js';
import { noticeBounce } from '../bounce-notice.js';
import { addressOf, recordDelivered, recordEvent } from '../event-log.js';
import { bounceReply, feedbackId, visitorFor } from './replies.js';

/**
 * Chooses the outcome for a recipient, plans its steps, and applies each of them to sent email. Specification: States and
 * transitions; gaps 3 and 4.
 */

const DELIVERED: Simulation = { outcome: 'delivered' };

/**
 * Returns a function that chooses the outcome for each recipient of an email, in order of precedence: the requested
 * one, the magic recipient's, the newest matching rule's of its workspace, else a delivery. Counts the use of a rule in
 * the transaction.
 */
export async function outcomesFor(
  tx: Transaction,
  requestedOutcome: Outcome | undefined,
  workspace: string | null,
): Promise<(mailbox: string) => Promise<Simulation>> {
  if (requestedOutcome !== undefined) return async () => ({ outcome: requestedOutcome });
  const rules = await tx.rules.listActive(workspace);
  return async (mailbox) => {
    const magic = magicOutcome(mailbox);
    if (magic) return magic;
    const rule = rules.find(
      ({ pattern, times, used }) => (times === null || used < times) && matchesRecipient(pattern, mailbox),
    );
    if (!rule) return DELIVERED;
    rule.used += 1;
    await tx.rules.use(rule.id);
    return {
      outcome: rule.outcome,
      bounceType: rule.bounceType ?? undefined,
      complaintType: rule.complaintType ?? undefined,
      dropReason: rule.dropReason ?? undefined,
      reason: rule.reason ?? undefined,
      delayMs: rule.delayMs ?? undefined,
    };
  };
}

/** Returns whether a mailbox belongs to the simulator. Simulated outcomes never suppress it. */
function isMagic(mailbox: string): boolean {
  return mailbox.endsWith(`@${MAGIC_DOMAIN}`);
}

/** Returns the outcome of a magic address. A label is a complaint type, as in `complained+fraud@simulator.test`. */
function magicOutcome(mailbox: string): Simulation | undefined {
  if (!isMagic(mailbox)) return undefined;
  const [outcome = '', label] = mailbox.slice(0, mailbox.lastIndexOf('@')).split('+', 2);
  if (!isOutcome(outcome)) return undefined;
  return {
    outcome,
    complaintType: outcome === 'complained' ? complaintTypes.find((type) => type === label) : undefined,
    dropReason: outcome === 'dropped' ? dropReasons.find((reason) => reason === label) : undefined,
  };
}

/** Returns a warning for all magic recipients that do not name an outcome, unless a rule or the request chooses one. */
export async function simulatorWarnings(
  tx: Transaction,
  requestedOutcome: Outcome | undefined,
  recipients: readonly { mailbox: string }[],
  workspace: string | null,
): Promise<ServiceWarning[]> {
  if (requestedOutcome !== undefined) return [];
  const magic = recipients.filter(({ mailbox }) => isMagic(mailbox) && !magicOutcome(mailbox));
  if (magic.length === 0) return [];
  const rules = await tx.rules.listActive(workspace);
  const unknown = magic.flatMap(({ mailbox }) =>
    rules.some(({ pattern }) => matchesRecipient(pattern, mailbox)) ? [] : [mailbox],
  );
  if (unknown.length === 0) return [];
  const finding =
    unknown.length === 1
      ? 'does not name an outcome, so its email is delivered'
      : 'do not name an outcome, so their email is delivered';
  const message = `${firstFew(unknown)} ${finding} (${adviceFor(unknown)})`;
  return [{ code: 'simulator_recipient', path: 'to', message }];
}

function adviceFor([mailbox = '', ...others]: readonly string[]): string {
  const [name = ''] = mailbox.split(/[+@]/, 1);
  const meant = others.length === 0 ? nearestName(name, outcomes) : undefined;
  return meant ? `did you mean ${meant}@${MAGIC_DOMAIN}?` : `outcomes: ${outcomes.join(', ')}`;
}

/** Returns the steps of a simulation: all of its outcome, or those that remain. */
export function planSteps(simulation: Simulation, names: readonly StepName[]): Step[] {
  const { outcome, delayMs = outcome === 'deferred' ? DEFERRED_MS : 0, ...details } = simulation;
  return names.map((name, place) => ({
    ...(name === 'deliver' ? {} : details),
    ...(outcome === 'soft-bounced' && { bounceType: 'soft' as const }),
    name,
    afterMs: place === 0 ? delayMs : 0,
  }));
}

/** Schedules the first of a recipient's steps, and returns when it is due. Its job schedules the next one. */
export async function scheduleStep(
  tx: Transaction,
  deps: EventDeps,
  { emailId, mailbox }: RecipientRef,
  steps: Step[],
): Promise<number | null> {
  const [first] = steps;
  if (!first) return null;
  const runAt = deps.clock.now() + first.afterMs;
  await tx.jobs.add({ kind: 'email.outcome', runAt, payload: { emailId, mailbox, steps } });
  return runAt;
}

/** The URL of a simulated click if the email has no link. */
const PLACEHOLDER_URL = 'https://simulator.test/';

/** A step and the recipient to apply it to. */
interface Target {
  email: EmailWithoutBodies;
  recipient: Recipient;
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
  await apply[step.name](tx, deps, { email, recipient, step });
  return true;
}

type StepDeps = EventDeps & Pick<Core, 'extractsOf'>;

/** Returns the kind of job that runs a recipient's next step. */
export function outcomeKind(deps: StepDeps): ItemKind<'email.outcome'> {
  return { type: 'item', run: (job) => runStep(deps, job) };
}

/**
 * Runs a recipient's next step and schedules the one after it. Ends the plan if the recipient's status does not allow
 * the step.
 */
async function runStep(deps: StepDeps, job: Job<'email.outcome'>): Promise<JobEffect> {
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
async function resolveLink(deps: StepDeps, { emailId, steps }: JobPayloads['email.outcome']): Promise<Step[]> {
  const [first, ...rest] = steps;
  if (!first) return steps;
  const url = await firstLink(deps, emailId);
  return url ? [{ ...first, url }, ...rest] : steps;
}

function needsLink(step: Step | undefined): boolean {
  return step?.name === 'click' && step.url === undefined;
}

/**
 * Returns the first web link of an email, from its HTML or else its text; null if it has none, or if finding it exceeds
 * the limits of one message.
 * @throws ProcessorUnavailableError if links cannot be found now. The result is recorded, so a guess is not acceptable.
 */
export async function firstLink({ extractsOf }: Pick<Core, 'extractsOf'>, emailId: string): Promise<string | null> {
  return (await extractsOf(emailId))?.links.find(({ href }) => /^https?:/i.test(href))?.href ?? null;
}

async function deliver(tx: Transaction, deps: EventDeps, target: Target): Promise<void> {
  await setStatus(tx, deps, target, 'delivered');
  await recordDelivered(tx, deps, { emailId: target.email.id, address: target.recipient.address });
}

async function bounce(tx: Transaction, deps: EventDeps, target: Target): Promise<void> {
  const { email, recipient, step } = target;
  const type = step.bounceType ?? 'hard';
  const { reason, smtpResponse } = bounceReply(recipient.mailbox, type, step.reason);
  await setStatus(tx, deps, target, 'bounced', { bounceReason: reason });
  if (type === 'hard') await suppress(tx, deps, target, 'hard_bounce');
  await recordEvent(tx, deps, 'email.bounced', {
    email_id: email.id,
    to: addressOf(recipient),
    bounced_at: timestamp(deps.clock.now()),
    bounce_type: type,
    reason,
    smtp_response: smtpResponse,
  });
  if (deps.bounceNotices) await noticeBounce(tx, deps, { email, recipient, smtpResponse });
}

async function complain(tx: Transaction, deps: EventDeps, target: Target): Promise<void> {
  const { email, recipient, step } = target;
  await setStatus(tx, deps, target, 'complained');
  await suppress(tx, deps, target, 'complaint');
  await recordEvent(tx, deps, 'email.complained', {
    email_id: email.id,
    to: addressOf(recipient),
    complained_at: timestamp(deps.clock.now()),
    complaint_type: step.complaintType ?? 'abuse',
    feedback_id: feedbackId(email.id, recipient.mailbox),
  });
}

async function engage(tx: Transaction, deps: EventDeps, { email, recipient, step }: Target): Promise<void> {
  const visitor = visitorFor(recipient.mailbox);
  await recordEngagement(tx, deps, recipient, {
    emailId: email.id,
    mailbox: recipient.mailbox,
    url: step.name === 'click' ? (step.url ?? PLACEHOLDER_URL) : null,
    ip: step.ip ?? visitor.ip,
    userAgent: step.userAgent ?? visitor.userAgent,
  });
}

/** Results that decide an email's status even while other recipients are pending, worst first (gap 4). */
const worstFirst = ['complained', 'bounced'] as const;

/**
 * Returns the state of an email after a recipient's status has changed. The other recipients are counted and not read.
 * Dropped recipients do not count.
 */
export function stateAfter(
  before: EmailState,
  change: { from: RecipientStatus; to: RecipientStatus },
  now: number,
): EmailState {
  const pending = change.from === 'sent' ? Math.max(0, before.pending - 1) : before.pending;
  const worst = worstFirst.find((each) => each === before.status || each === change.to);
  const status: EmailStatus = worst ?? (pending > 0 ? 'sent' : 'delivered');
  const isNowDelivered = status === 'delivered' && before.status !== 'delivered';
  return { status, pending, deliveredAt: isNowDelivered ? now : before.deliveredAt };
}

/** Sets the recipient's status, and the email's state that follows from it. */
async function setStatus(
  tx: Transaction,
  { clock }: EventDeps,
  { email, recipient }: Target,
  to: RecipientStatus,
  changes: StatusChange = {},
): Promise<void> {
  await tx.emails.setRecipient(email.id, recipient.mailbox, { status: to, dueAt: null, steps: null });
  const state = stateAfter(email, { from: recipient.status, to }, clock.now());
  await tx.emails.setStatus(email.id, { ...changes, ...state });
}

/** Suppresses the address after a hard bounce or a complaint (gap 3), except the simulator's own addresses. */
async function suppress(
  tx: Transaction,
  { clock }: EventDeps,
  { email, recipient: { mailbox } }: Target,
  reason: 'hard_bounce' | 'complaint',
): Promise<void> {
  if (isMagic(mailbox)) return;
  const { id: emailId, workspace } = email;
  await tx.suppressions.insert({ mailbox, reason, emailId, workspace, createdAt: clock.now() });
}

/**
 * Counts an open or a click of a delivered email and records its event. Gap 3: they change counters and `opened_at`, never
 * the status.
 */
export async function recordEngagement(
  tx: Transaction,
  deps: EventDeps,
  recipient: Pick<Recipient, 'address'>,
  engagement: Engagement,
): Promise<void> {
  const { emailId, url, ip, userAgent } = engagement;
  const email = await tx.emails.findWithoutBodies(emailId);
  if (!email) return;
  const now = deps.clock.now();
  const to = addressOf(recipient);
  const common = {
    ip_address: ip,
    user_agent: userAgent,
    // svc contains no database of IP locations, and loopback addresses have none.
    location: { country: null, city: null },
  };
  if (url === null) {
    await tx.emails.setStatus(emailId, { opensCount: email.opensCount + 1, openedAt: email.openedAt ?? now });
    await recordEvent(tx, deps, 'email.opened', {
      email_id: emailId,
      to,
      opened_at: timestamp(now),
      ...common,
    });
  } else {
    await tx.emails.setStatus(emailId, { clicksCount: email.clicksCount + 1 });
    await recordEvent(tx, deps, 'email.clicked', {
      email_id: emailId,
      to,
      clicked_at: timestamp(now),
      url,
      ...common,
    });
  }
}
