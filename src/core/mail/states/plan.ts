import { matchesRecipient } from '../../../contract/recipient-pattern.js';
import { nearestName } from '../../../contract/vocabulary/nearest-name.js';
import {
  complaintTypes,
  DEFERRED_MS,
  dropReasons,
  isOutcome,
  MAGIC_DOMAIN,
  type Outcome,
  outcomes,
  type StepName,
} from '../../../contract/vocabulary/outcomes.js';
import { firstFew } from '../../../contract/vocabulary/text.js';
import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import type { EventDeps } from '../../context.js';
import type { RecipientRef } from '../../model/emails.js';
import type { Simulation, Step } from '../../model/outcomes.js';
import type { Transaction } from '../../transaction.js';

/** Chooses the outcome for a recipient and plans its steps. */

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

/** Returns whether the first step has a delay of its own, which replaces the server's delivery delay (gap 42). */
export function hasOwnDelay({ outcome, delayMs }: Simulation): boolean {
  return delayMs !== undefined || outcome === 'deferred';
}

export type ChooseOutcome = (mailbox: string) => Promise<Simulation>;

const DELIVERED: Simulation = { outcome: 'delivered' };

/**
 * Returns a function that chooses the outcome for each recipient of an email, in order of precedence: the requested
 * one, the magic recipient's, the newest matching rule's of its workspace, else a
 * delivery. Counts the use of a rule in the transaction.
 */
export async function outcomesFor(
  tx: Transaction,
  requestedOutcome: Outcome | undefined,
  workspace: string | null,
): Promise<ChooseOutcome> {
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

/** Returns whether a mailbox belongs to the simulator. Simulated outcomes never suppress it. */
export function isMagic(mailbox: string): boolean {
  return mailbox.endsWith(`@${MAGIC_DOMAIN}`);
}

function adviceFor([mailbox = '', ...others]: readonly string[]): string {
  const [name = ''] = mailbox.split(/[+@]/, 1);
  const meant = others.length === 0 ? nearestName(name, outcomes) : undefined;
  return meant ? `did you mean ${meant}@${MAGIC_DOMAIN}?` : `outcomes: ${outcomes.join(', ')}`;
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
