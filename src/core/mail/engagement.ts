import { type EventDeps, timestamp } from '../context.js';
import type { Recipient, RecipientRef } from '../model/emails.js';
import type { NewJob } from '../model/jobs.js';
import type { Transaction } from '../transaction.js';
import { recordEvent } from './event-log.js';

/** Records opens and clicks. Gap 3: they change counters and `opened_at`, never the status. Specification: Events. */

/** A recipient's open (`url` null) or click. */
export interface Engagement extends RecipientRef {
  url: string | null;
  ip: string;
  userAgent: string;
}

/** The job that records an open or a click after the deliveries that are due. */
export interface EngagementJob extends NewJob {
  kind: 'email.engage';
  payload: Engagement;
}

/** Statuses after a delivery. A complaint follows a delivery (gap 3); all other statuses do not. */
const deliveredStatuses: readonly Recipient['status'][] = ['delivered', 'complained'];

/**
 * Handles a request for a pixel or a tracked link. It counts if the email was delivered to the recipient. If the
 * delivery is due, a job records it afterwards. Otherwise only a developer or a scanner can have seen the email, and
 * the request is ignored.
 */
export async function handleEngagement(tx: Transaction, deps: EventDeps, engagement: Engagement): Promise<void> {
  const status = await recipientStatus(tx, engagement);
  if (status !== undefined && deliveredStatuses.includes(status)) return recordEngagement(tx, deps, engagement);
  if (status !== 'sent') return;
  // Runs after the delivery's job, which is already due unless the email is deferred.
  const job: EngagementJob = { kind: 'email.engage', runAt: deps.clock.now(), payload: engagement };
  await tx.jobs.add(job);
}

/** Runs the job of an open or a click that was requested before the delivery. */
export async function runEngagementJob(tx: Transaction, deps: EventDeps, engagement: Engagement): Promise<void> {
  const status = await recipientStatus(tx, engagement);
  if (status !== undefined && deliveredStatuses.includes(status)) await recordEngagement(tx, deps, engagement);
}

/** Counts an open or a click of a delivered email and records its event. */
export async function recordEngagement(tx: Transaction, deps: EventDeps, engagement: Engagement): Promise<void> {
  const { emailId, mailbox, url, ip, userAgent } = engagement;
  const email = await tx.emails.findWithoutBodies(emailId);
  if (!email) return;
  const now = deps.clock.now();
  const common = {
    ip_address: ip,
    user_agent: userAgent,
    // svc contains no database of IP locations, and loopback addresses have none.
    location: { country: null, city: null },
  };
  if (url === null) {
    await tx.emails.setStatus(emailId, { opensCount: email.opensCount + 1, openedAt: email.openedAt ?? now });
    await recordEvent(tx, deps, 'email.opened', {
      email_id: emailId,
      to: mailbox,
      opened_at: timestamp(now),
      ...common,
    });
  } else {
    await tx.emails.setStatus(emailId, { clicksCount: email.clicksCount + 1 });
    await recordEvent(tx, deps, 'email.clicked', {
      email_id: emailId,
      to: mailbox,
      clicked_at: timestamp(now),
      url,
      ...common,
    });
  }
}

async function recipientStatus(tx: Transaction, { emailId, mailbox }: RecipientRef) {
  return (await tx.emails.recipients(emailId)).find((recipient) => recipient.mailbox === mailbox)?.status;
}
