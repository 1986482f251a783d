import type { recipientStatuses } from './emails/statuses.js';
import type { Outcome } from './outcome.js';

/** The steps of outcomes, and the statuses that allow them. Specification: States and transitions; gap 3. */

export const stepNames = ['deliver', 'bounce', 'complain', 'open', 'click'] as const;
export type StepName = (typeof stepNames)[number];

type RecipientStatus = (typeof recipientStatuses)[number];

/** The steps of each outcome. A dropped email is never sent, so it has no steps. */
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

/** Returns the steps of an outcome. As with a real click, `clicked` opens an email only if its opens are tracked. */
export function stepsOf(outcome: Outcome, { trackOpens }: { trackOpens: boolean }): readonly StepName[] {
  const steps = stepsByOutcome[outcome];
  return outcome === 'clicked' && !trackOpens ? steps.filter((name) => name !== 'open') : steps;
}

/** Statuses that allow each step. A server may accept a message and later report that it bounced. */
const allowedFrom: Record<StepName, readonly RecipientStatus[]> = {
  deliver: ['sent'],
  bounce: ['sent', 'delivered'],
  complain: ['delivered'],
  open: ['delivered', 'complained'],
  click: ['delivered', 'complained'],
};

export function isAllowedFrom(step: StepName, status: RecipientStatus): boolean {
  return allowedFrom[step].includes(status);
}

/**
 * Returns the steps of an outcome that have not happened for a recipient; undefined if the outcome is not possible after
 * its status.
 */
export function remainingSteps(
  outcome: Outcome,
  status: RecipientStatus,
  /** Whether the email was opened, or its opens are not tracked. */
  isOpened = false,
): readonly StepName[] | undefined {
  if (outcome === 'none') return status === 'sent' ? [] : undefined;
  const happened: StepName[] = status === 'sent' ? [] : ['deliver'];
  if (isOpened && outcome === 'clicked') happened.push('open');
  const steps = stepsByOutcome[outcome].filter((name) => !happened.includes(name));
  return steps[0] && isAllowedFrom(steps[0], status) ? steps : undefined;
}
