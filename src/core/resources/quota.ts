import { ServiceError } from '../../contract/vocabulary/errors.js';
import { plans } from '../../contract/vocabulary/limits.js';
import { type Core, timestamp } from '../context.js';
import type { Reads } from '../transaction.js';

/** Monthly emails by plan. Specification: Rate limits by plan; decision 33. A month is a calendar month in UTC. */

/** The month's quota is used up. Its headers refer to the month where those of other responses refer to the minute. */
export class QuotaExceededError extends ServiceError {
  constructor(
    plan: string,
    readonly quota: number,
    /** When the next month begins. */
    readonly resetsAt: number,
  ) {
    const until = timestamp(resetsAt);
    super('rate_limited', `The ${plan} plan's monthly quota of ${quota} emails is used up; it resets at ${until}.`);
  }
}

/**
 * Refuses an email beyond the plan's quota. It counts when it is accepted, whenever it is to be sent, and still when
 * it is cancelled. Call it in the transaction that stores the email, so that concurrent calls cannot exceed the quota
 * together.
 * @throws QuotaExceededError
 */
export async function assertWithinQuota(
  reads: Pick<Reads, 'emails'>,
  { plan }: Pick<Core, 'plan'>,
  now: number,
): Promise<void> {
  const quota = plans[plan].emailsPerMonth;
  if (quota === null) return;
  const { start, next } = monthOf(now);
  if ((await reads.emails.countSent(start, next)) < quota) return;
  throw new QuotaExceededError(plan, quota, next);
}

function monthOf(instant: number): { start: number; next: number } {
  const date = new Date(instant);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), next: Date.UTC(year, month + 1) };
}
