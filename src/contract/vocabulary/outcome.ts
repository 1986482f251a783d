/**
 * What can become of a mail to one recipient: one vocabulary for commands, the header, magic recipients and rules. Without a
 * schema library, so that commands can name it cheaply.
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

/** Of a REST call, and of a message over SMTP: the outcome for each of its recipients. */
export const SIMULATE_HEADER = 'X-Service-Simulate';

/** `<outcome>[+label]@simulator.test` has that outcome. */
export const MAGIC_DOMAIN = 'simulator.test';

/** When a deferred mail is delivered, unless a rule or a command says otherwise. */
export const DEFERRED_MS = 5 * 60_000;

/** Specification: Events, `bounce_type`. */
export const bounceTypes = ['hard', 'soft'] as const;
export type BounceType = (typeof bounceTypes)[number];

/** Decision 27. */
export const complaintTypes = ['abuse', 'fraud', 'virus', 'other'] as const;
export type ComplaintType = (typeof complaintTypes)[number];

/** Decision 26. */
export const dropReasons = ['suppressed', 'invalid_address'] as const;
export type DropReason = (typeof dropReasons)[number];

/** Reads the value of the header `X-Service-Simulate`; undefined when it names no outcome. */
export function readOutcome(value: string): Outcome | undefined {
  const name = value.trim().toLowerCase();
  return isOutcome(name) ? name : undefined;
}

export function isOutcome(value: string): value is Outcome {
  return (outcomes as readonly string[]).includes(value);
}
