import { type EventDeps, timestamp } from '../context.js';
import type { Recipient, RecipientRef } from '../model/emails.js';
import type { Transaction } from '../transaction.js';
import { addressOf, recordEvent } from './event-log.js';

/** Records opens and clicks. Gap 3: they change counters and `opened_at`, never the status. Specification: Events. */

/** A recipient's open (`url` null) or click. */
export interface Engagement extends RecipientRef {
  url: string | null;
  ip: string;
  userAgent: string;
}

/** Counts an open or a click of a delivered email and records its event. */
export async function recordEngagement(
  tx: Transaction,
  deps: EventDeps,
  recipient: Pick<Recipient, 'address'>,
  engagement: Engagement,
): Promise<void> {
  const { emailId, url, ip, userAgent } = engagement;
  const email = await tx.emails.findWithoutBodies(emailId);
  if (!email) return;
  const now = deps.clock.now();
  const to = addressOf(recipient);
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
      to,
      opened_at: timestamp(now),
      ...common,
    });
  } else {
    await tx.emails.setStatus(emailId, { clicksCount: email.clicksCount + 1 });
    await recordEvent(tx, deps, 'email.clicked', {
      email_id: emailId,
      to,
      clicked_at: timestamp(now),
      url,
      ...common,
    });
  }
}
