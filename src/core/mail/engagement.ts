import { type Core, timestamp } from '../context.js';
import type { NewJob, Recipient } from '../model.js';
import type { Transaction } from '../transaction.js';
import { recordEvent } from './event-log.js';

/** Opens and clicks. Specification: Events; decision 3: they change counters and `opened_at`, never the status. */

/** A recipient's open (`url` null) or click. */
export interface Engagement {
  emailId: string;
  mailbox: string;
  url: string | null;
  ip: string;
  userAgent: string;
}

/** Records an engagement once the deliveries that are due have been played out. */
export interface EngagementJob extends NewJob {
  kind: 'email.engage';
  payload: Engagement;
}

type EventDeps = Pick<Core, 'clock' | 'ids'>;

/** A complaint follows a delivery (decision 3); every other status excludes one, or comes before it. */
const deliveredStatuses: readonly Recipient['status'][] = ['delivered', 'complained'];

/**
 * Takes in a fetch of a pixel or a tracked link. It counts when its recipient has the mail. With the delivery still due it
 * waits for that, as a job; without one, nobody but a developer or a scanner can have seen the mail, and it is ignored.
 */
export async function handleEngagement(tx: Transaction, deps: EventDeps, engagement: Engagement): Promise<void> {
  const status = await recipientStatus(tx, engagement);
  if (status !== undefined && deliveredStatuses.includes(status)) return recordEngagement(tx, deps, engagement);
  if (status !== 'sent') return;
  // Behind the delivery's own job, which is due already unless the mail is deferred.
  const job: EngagementJob = { kind: 'email.engage', runAt: deps.clock.now(), payload: engagement };
  await tx.jobs.add(job);
}

/** Runs the job of an engagement that came before its delivery. */
export async function runEngagementJob(tx: Transaction, deps: EventDeps, engagement: Engagement): Promise<void> {
  const status = await recipientStatus(tx, engagement);
  if (status !== undefined && deliveredStatuses.includes(status)) await recordEngagement(tx, deps, engagement);
}

/** Counts an open or a click of a delivered mail and raises its event. */
export async function recordEngagement(tx: Transaction, deps: EventDeps, engagement: Engagement): Promise<void> {
  const { emailId, mailbox, url, ip, userAgent } = engagement;
  const email = await tx.emails.findWithoutBodies(emailId);
  if (!email) return;
  const now = deps.clock.now();
  const common = {
    ip_address: ip,
    user_agent: userAgent,
    // No address database is shipped, and loopback is nowhere.
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

async function recipientStatus(tx: Transaction, { emailId, mailbox }: Engagement) {
  return (await tx.emails.recipients(emailId)).find((recipient) => recipient.mailbox === mailbox)?.status;
}
