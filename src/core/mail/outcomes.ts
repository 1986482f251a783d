import { nearestName } from '../../contract/vocabulary/helpers/nearest-name.js';
import {
  type BounceType,
  type ComplaintType,
  complaintTypes,
  DEFERRED_MS,
  type DropReason,
  dropReasons,
  isOutcome,
  MAGIC_DOMAIN,
  type Outcome,
  outcomes,
} from '../../contract/vocabulary/outcome.js';
import { matchesRecipient } from '../../contract/vocabulary/parsers/recipient-pattern.js';
import type { Transaction } from '../transaction.js';

/** Chooses the outcome of a recipient's mail and plans its steps. */

/** An outcome with the details that differ from its defaults. */
export interface Simulation {
  outcome: Outcome;
  bounceType?: BounceType | undefined;
  complaintType?: ComplaintType | undefined;
  dropReason?: DropReason | undefined;
  /** The reply of the recipient's server when it bounces. */
  reason?: string | undefined;
  /** Milliseconds from sending to the first step. */
  delayMs?: number | undefined;
  url?: string | undefined;
  ip?: string | undefined;
  userAgent?: string | undefined;
}

export type StepName = 'deliver' | 'bounce' | 'complain' | 'open' | 'click';

/** One transition of a recipient's mail, some time after the previous one. */
export interface Step extends Omit<Simulation, 'outcome' | 'delayMs'> {
  name: StepName;
  afterMs: number;
}

/** Dropped mail is never sent, so it has no steps. */
const stepsByOutcome: Record<Outcome, readonly StepName[]> = {
  delivered: ['deliver'],
  bounced: ['bounce'],
  'soft-bounced': ['bounce'],
  complained: ['deliver', 'complain'],
  dropped: [],
  opened: ['deliver', 'open'],
  clicked: ['deliver', 'open', 'click'],
  deferred: ['deliver'],
  none: [],
};

/** Returns the steps of a simulation, without those that have already happened. */
export function planSteps(simulation: Simulation, happened: readonly StepName[] = []): Step[] {
  const { outcome, delayMs = outcome === 'deferred' ? DEFERRED_MS : 0, ...details } = simulation;
  return stepsByOutcome[outcome]
    .filter((name) => !happened.includes(name))
    .map((name, place) => ({
      ...(name === 'deliver' ? {} : details),
      ...(outcome === 'soft-bounced' && { bounceType: 'soft' as const }),
      name,
      afterMs: place === 0 ? delayMs : 0,
    }));
}

/** Returns whether the outcome is a delivery without a delay, as for nearly all mail. */
export function isImmediateDelivery({ outcome, delayMs = 0 }: Simulation): boolean {
  return outcome === 'delivered' && delayMs === 0;
}

/** `warning` is the reason why it may not be the intended one. */
export type ChosenOutcome = Simulation & { warning?: string };
export type ChooseOutcome = (mailbox: string) => Promise<ChosenOutcome>;

const DELIVERED: Simulation = { outcome: 'delivered' };

/**
 * Returns a function that chooses the outcome of each recipient of one email: the requested one, else that of the magic
 * recipient, else of the newest rule that matches, else a delivery. Counts the use of a rule in the transaction.
 */
export async function outcomesFor(tx: Transaction, requestedOutcome: Outcome | undefined): Promise<ChooseOutcome> {
  if (requestedOutcome !== undefined) return async () => ({ outcome: requestedOutcome });
  const rules = await tx.rules.listActive();
  return async (mailbox) => {
    const magic = magicOutcome(mailbox);
    if (magic) return magic;
    const rule = rules.find(
      ({ pattern, times, used }) => (times === null || used < times) && matchesRecipient(pattern, mailbox),
    );
    if (!rule) return isMagic(mailbox) ? { ...DELIVERED, warning: isUnknownMagicAddress(mailbox) } : DELIVERED;
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

/** Returns whether a mailbox is one of the simulator's, which is never suppressed for its simulated outcomes. */
export function isMagic(mailbox: string): boolean {
  return mailbox.endsWith(`@${MAGIC_DOMAIN}`);
}

function isUnknownMagicAddress(mailbox: string): string {
  const [name = ''] = mailbox.split(/[+@]/, 1);
  const meant = nearestName(name, outcomes);
  const advice = meant ? `did you mean ${meant}@${MAGIC_DOMAIN}?` : `outcomes: ${outcomes.join(', ')}`;
  return `${mailbox} does not name an outcome, so its email is delivered (${advice})`;
}

/** Returns the outcome of an address such as `complained+fraud@simulator.test`, whose label is a complaint type. */
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
