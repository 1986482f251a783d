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
