import type { recipientStatuses } from './emails.js';
import type { ErrorDetail } from './error-detail.js';

/**
 * Possible outcomes for one recipient, as commands, the header, magic recipients and rules name them. Separate from the
 * schemas, so that commands start without zod.
 */
export const outcomes = [
  'delivered',
  'bounced',
  'soft-bounced',
  'complained',
  'dropped',
  'opened',
  'clicked',
  'deferred',
  'none',
] as const;
export type Outcome = (typeof outcomes)[number];

/** Sets the outcome for all recipients of a REST call or an SMTP message. */
export const SIMULATE_HEADER = 'X-Service-Simulate';

/** The value of the header that makes POST /emails fail with `upstream_error`. No outcome: nothing is stored. Gap 48. */
export const UPSTREAM_ERROR = 'upstream-error';

/** An address such as `<outcome>[+label]@simulator.test` sets its own outcome. */
export const MAGIC_DOMAIN = 'simulator.test';

/** Delay of a deferred email, unless a rule or a command sets another. */
export const DEFERRED_MS = 5 * 60_000;

/** Specification: Events, `bounce_type`. */
export const bounceTypes = ['hard', 'soft'] as const;
export type BounceType = (typeof bounceTypes)[number];

/** The types of complaints. Gap 27. */
export const complaintTypes = ['abuse', 'fraud', 'virus', 'other'] as const;
export type ComplaintType = (typeof complaintTypes)[number];

/** The reasons for dropping an email. Gap 26. */
export const dropReasons = ['suppressed', 'invalid_address'] as const;
export type DropReason = (typeof dropReasons)[number];

/** Reads the value of the header `X-Service-Simulate`. Returns undefined for an unknown outcome. */
export function readOutcome(value: string): Outcome | undefined {
  const name = value.trim().toLowerCase();
  return isOutcome(name) ? name : undefined;
}

export function isOutcome(value: string): value is Outcome {
  return (outcomes as readonly string[]).includes(value);
}

/** Checks which details apply to an outcome. Separate from the schemas, so that commands start without zod. */

/** The fields of a request that describe an outcome. */
export interface OutcomeDetails {
  outcome: Outcome;
  bounce_type?: string | undefined;
  complaint_type?: string | undefined;
  drop_reason?: string | undefined;
  reason?: unknown;
  delay?: unknown;
  url?: unknown;
  user_agent?: unknown;
  ip_address?: unknown;
}

/** Returns the details that do not apply to the outcome, with the reason for each. */
export function incompatibleDetails(details: OutcomeDetails): ErrorDetail[] {
  const { outcome } = details;
  const found: ErrorDetail[] = [];
  const check = (path: Exclude<keyof OutcomeDetails, 'outcome'>, fits: boolean, message: string) => {
    if (details[path] !== undefined && !fits) found.push({ path, message });
  };
  const bounces = outcome === 'bounced' || outcome === 'soft-bounced';
  const engages = outcome === 'opened' || outcome === 'clicked';
  const soft = outcome === 'soft-bounced';
  check('bounce_type', bounces, 'requires the outcome bounced');
  check('bounce_type', !soft || details.bounce_type !== 'hard', 'must not be hard with the outcome soft-bounced');
  check('reason', bounces, 'requires the outcome bounced or soft-bounced');
  check('complaint_type', outcome === 'complained', 'requires the outcome complained');
  check('drop_reason', outcome === 'dropped', 'requires the outcome dropped');
  check('delay', outcome !== 'dropped' && outcome !== 'none', `cannot be used with the outcome ${outcome}`);
  check('user_agent', engages, 'requires the outcome opened or clicked');
  check('ip_address', engages, 'requires the outcome opened or clicked');
  check('url', outcome === 'clicked', 'requires the outcome clicked');
  return found;
}

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
