import { ServiceError } from '../../contract/vocabulary/errors.js';
import { plans } from '../../contract/vocabulary/limits.js';
import { type Core, timestamp } from '../context.js';
import type { Reads } from '../transaction.js';

/** Limits the emails of a calendar month (UTC) by plan. Specification: Rate limits by plan; gap 33. */

/** The monthly quota is used up. The headers of this error describe the month instead of the minute. */
export class QuotaExceededError extends ServiceError {
  constructor(
    plan: string,
    readonly quota: number,
    /** The instant at which the next month begins. */
    readonly resetsAt: number,
  ) {
    const until = timestamp(resetsAt);
    super('rate_limited', `The ${plan} plan's monthly quota of ${quota} emails is used up; it resets at ${until}.`);
  }
}

/**
 * Rejects an email above the plan's quota. An email counts when it is accepted, even if it is scheduled or cancelled
 * later. Call this in the transaction that stores the email, so that concurrent calls cannot exceed the quota together.
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
