import { ServiceError } from '../../contract/vocabulary/errors.js';
import { type Plan, plans } from '../../contract/vocabulary/limits.js';
import { type Core, timestamp } from '../context.js';
import type { Reads } from '../reads.js';

/** Limits the recipients of a calendar month (UTC) by workspace and plan. Specification: Rate limits by plan; gap 33. */

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
 * Rejects an email if the quota of its workspace is used up, or if the recipients that it was sent to exceed it. Each
 * workspace has a quota, and so have the emails of none: its own, or that of the plan. Recipients count when they are sent
 * to, over REST and SMTP; dropped and cancelled ones do not. Once the quota is used up, every email is rejected, also one
 * whose every recipient is dropped. Recipients of unparsed messages count, which are sent to later. Call this in the
 * transaction that stores the email, so that concurrent calls cannot exceed the quota together.
 * @param sentTo Number of recipients that the email was sent to; 0 for a scheduled one
 * @param recorded Number of those that are counted already (default: all)
 * @throws QuotaExceededError
 */
export async function assertWithinQuota(
  reads: Pick<Reads, 'workspaces' | 'received'>,
  { plan }: Pick<Core, 'plan'>,
  {
    workspace,
    now,
    sentTo,
    recorded = sentTo,
  }: { workspace: string | null; now: number; sentTo: number; recorded?: number },
): Promise<void> {
  const limit = await quotaOf(reads, plan, workspace);
  if (!limit) return;
  const { start, next } = monthOf(now);
  const sent = await reads.workspaces.sent(workspace, start);
  const left = Math.max(0, limit.quota - (sent - recorded + (await reads.received.unparsedRecipients(workspace))));
  if (left > 0 && sentTo <= left) return;
  const message =
    left === 0 ? `${limit.name} is used up` : `${limit.name} has ${left} left, fewer than the ${sentTo} recipients`;
  throw new QuotaExceededError(message, limit.quota, left, next);
}

/** Returns the quota of a workspace, or of emails without one, and its name; undefined for none. */
export async function quotaOf(
  reads: Pick<Reads, 'workspaces'>,
  plan: Plan,
  workspace: string | null,
): Promise<{ quota: number; name: string } | undefined> {
  const own = workspace === null ? undefined : (await reads.workspaces.find(workspace))?.monthlyQuota;
  if (own != null) return { quota: own, name: `The monthly quota of ${own} emails of workspace ${workspace}` };
  const quota = plans[plan].emailsPerMonth;
  return quota === null ? undefined : { quota, name: `The ${plan} plan's monthly quota of ${quota} emails` };
}

/** Returns when the calendar month of an instant begins, and the next one (UTC). */
export function monthOf(instant: number): { start: number; next: number } {
  const date = new Date(instant);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), next: Date.UTC(year, month + 1) };
}
