import type { EventDeps } from '../../context.js';
import type { Recipient } from '../../model/emails.js';
import type { NewJob } from '../../model/jobs.js';
import type { Transaction } from '../../transaction.js';
import { deliverEarly } from '../delivery-delay.js';
import { type Engagement, recordEngagement } from '../engagement.js';

/** Handles requests for pixels and tracked links. */

/** The job that records an open or a click after the deliveries that are due. */
export interface EngagementJob extends NewJob {
  kind: 'email.engage';
  payload: Engagement;
}

/** Statuses after a delivery. A complaint follows a delivery (gap 3); all other statuses do not. */
const deliveredStatuses: readonly Recipient['status'][] = ['delivered', 'complained'];

/**
 * Handles a request for a pixel or a tracked link. It counts if the email was delivered to the recipient. A delivery
 * that only waits for the delivery delay happens first. If the delivery has a job that is due, a job records the request
 * afterwards. Otherwise only a developer or a scanner can have seen the email, and the request is ignored.
 */
export async function handleEngagement(tx: Transaction, deps: EventDeps, engagement: Engagement): Promise<void> {
  const recipient = await tx.emails.recipient(engagement.emailId, engagement.mailbox);
  if (!recipient) return;
  if (deliveredStatuses.includes(recipient.status) || (await deliverEarly(tx, deps, engagement.emailId, recipient))) {
    return recordEngagement(tx, deps, recipient, engagement);
  }
  if (recipient.status !== 'sent') return;
  // Runs after the delivery's job, which is already due unless the email is deferred.
  const job: EngagementJob = { kind: 'email.engage', runAt: deps.clock.now(), payload: engagement };
  await tx.jobs.add(job);
}

/** Runs the job of an open or a click that was requested before the delivery. */
export async function runEngagementJob(tx: Transaction, deps: EventDeps, job: EngagementJob): Promise<void> {
  const engagement = job.payload;
  const recipient = await tx.emails.recipient(engagement.emailId, engagement.mailbox);
  if (!recipient) return tx.emails.keepJob(engagement.emailId, job);
  if (deliveredStatuses.includes(recipient.status)) {
    await recordEngagement(tx, deps, recipient, engagement);
  }
}
