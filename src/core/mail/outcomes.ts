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

/** Which outcome a recipient's mail has, and the steps that it is played out in. */

/** An outcome with whatever it says that is not the usual. */
export interface Simulation {
  outcome: Outcome;
  bounceType?: BounceType | undefined;
  complaintType?: ComplaintType | undefined;
  dropReason?: DropReason | undefined;
  /** What the recipient's server says when it bounces. */
  reason?: string | undefined;
  /** From sending to the first step. */
  delayMs?: number | undefined;
  url?: string | undefined;
  ip?: string | undefined;
  userAgent?: string | undefined;
}

export type StepName = 'deliver' | 'bounce' | 'complain' | 'open' | 'click';

/** One thing that happens to a recipient's mail, some time after the one before it. */
export interface Step extends Omit<Simulation, 'outcome' | 'delayMs'> {
  name: StepName;
  afterMs: number;
}

/** An outcome is a plan. A dropped mail is never sent, so it has none. */
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

/** The steps of a simulation, without those that have happened already. */
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

/** Whether a mail is simply delivered at once: what nearly every mail is. */
export function isImmediateDelivery({ outcome, delayMs = 0 }: Simulation): boolean {
  return outcome === 'delivered' && delayMs === 0;
}

/** `warning` says why it may not be the one that was meant. */
export type ChosenOutcome = Simulation & { warning?: string };
export type ChooseOutcome = (mailbox: string) => Promise<ChosenOutcome>;

const DELIVERED: Simulation = { outcome: 'delivered' };

/**
 * Chooses the outcome of each recipient of one email: that of the header, else of the magic recipient, else of the newest
 * rule that matches, else it is delivered. A rule that decides is counted, in the transaction.
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

/** Whether a mailbox is one of the simulator's, which is never suppressed for what it was told to do. */
export function isMagic(mailbox: string): boolean {
  return mailbox.endsWith(`@${MAGIC_DOMAIN}`);
}

function isUnknownMagicAddress(mailbox: string): string {
  const [name = ''] = mailbox.split(/[+@]/, 1);
  const meant = nearestName(name, outcomes);
  const advice = meant ? `did you mean ${meant}@${MAGIC_DOMAIN}?` : `outcomes: ${outcomes.join(', ')}`;
  return `${mailbox} does not name an outcome, so its email is delivered (${advice})`;
}

/** `complained+fraud@simulator.test`: a label that is a complaint type or a reason to drop is meant as such. */
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
