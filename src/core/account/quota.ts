import { ServiceError } from '../../contract/vocabulary/errors.js';
import { plans } from '../../contract/vocabulary/limits.js';
import { type Core, timestamp } from '../context.js';
import type { Reads } from '../reads.js';

/** Limits the recipients of a calendar month (UTC) by plan. Specification: Rate limits by plan; gap 33. */

/** The monthly quota is used up. The headers of this error describe the month instead of the minute. */
export class QuotaExceededError extends ServiceError {
  constructor(
    message: string,
    readonly quota: number,
    /** Number of recipients that can still be sent to. */
    readonly left: number,
    /** The instant at which the next month begins. */
    readonly resetsAt: number,
  ) {
    super('rate_limited', `${message}; it resets at ${timestamp(resetsAt)}.`);
  }
}

/**
 * Rejects an email if the plan's quota is used up, or if the recipients that it was sent to exceed it. Recipients count
 * when they are sent to, over REST and SMTP; dropped and cancelled ones do not. Once the quota is used up, every email is
 * rejected, also one whose every recipient is dropped. Recipients of unparsed messages count, whose events are recorded
 * later. Call this in the transaction that stores the email, so that concurrent calls cannot exceed the quota together.
 * @param sentTo Number of recipients that the email was sent to; 0 for a scheduled one
 * @param recorded Number of those whose events are recorded already (default: all)
 * @throws QuotaExceededError
 */
export async function assertWithinQuota(
  reads: Pick<Reads, 'events' | 'received'>,
  { plan }: Pick<Core, 'plan'>,
  { now, sentTo, recorded = sentTo }: { now: number; sentTo: number; recorded?: number },
): Promise<void> {
  const quota = plans[plan].emailsPerMonth;
  if (quota === null) return;
  const { start, next } = monthOf(now);
  const { sent } = await reads.events.count(start, next - 1);
  const left = Math.max(0, quota - (sent - recorded + (await reads.received.unparsedRecipients())));
  if (left > 0 && sentTo <= left) return;
  const name = `The ${plan} plan's monthly quota of ${quota} emails`;
  const message = left === 0 ? `${name} is used up` : `${name} has ${left} left, fewer than the ${sentTo} recipients`;
  throw new QuotaExceededError(message, quota, left, next);
}

function monthOf(instant: number): { start: number; next: number } {
  const date = new Date(instant);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), next: Date.UTC(year, month + 1) };
}
