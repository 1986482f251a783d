import { normalizeAddress, storedAddress } from '../../contract/vocabulary/addresses.js';
import type { CounterName, EventType } from '../../contract/vocabulary/event-types.js';
import { PAYLOAD_VERSION } from '../../contract/vocabulary/headers.js';
import type { EventData, EventEnvelope } from '../../contract/webhook-events.js';
import { type EventDeps, timestamp } from '../context.js';
import type { Recipient } from '../model/emails.js';
import type { StoredEvent } from '../model/events.js';
import type { Transaction } from '../transaction.js';
import { acceptedReply } from './states/replies.js';

const counters: Partial<Record<EventType, CounterName>> = {
  'email.sent': 'sent',
  'email.delivered': 'delivered',
  'email.bounced': 'bounced',
  'email.complained': 'complained',
  'email.opened': 'opened',
  'email.clicked': 'clicked',
};

/**
 * Appends an event. Its payload is serialized only here, so that every attempt sends the same bytes (gap 25).
 * `hasEmail` is false for an event about an email that is not stored.
 */
export async function recordEvent<T extends EventType>(
  tx: Transaction,
  { clock, ids }: EventDeps,
  type: T,
  data: EventData<T>,
  hasEmail?: boolean,
): Promise<StoredEvent> {
  const now = clock.now();
  const id = ids.next('evt', now);
  const envelope: EventEnvelope<T> = { id, type, created_at: timestamp(now), version: PAYLOAD_VERSION, data };
  const about = data as { email_id?: string; to?: string };
  return tx.events.append(
    {
      id,
      type,
      createdAt: now,
      emailId: about.email_id ?? null,
      recipient: about.to === undefined ? null : normalizeAddress(about.to),
      payload: JSON.stringify(envelope),
    },
    counters[type],
    hasEmail,
  );
}

/** Records the event of a delivery at the current time. */
export async function recordDelivered(
  tx: Transaction,
  deps: EventDeps,
  { emailId, address }: { emailId: string; address: string },
): Promise<void> {
  const delivered_at = timestamp(deps.clock.now());
  const smtp_response = acceptedReply(emailId);
  const to = addressOf({ address });
  await recordEvent(tx, deps, 'email.delivered', { email_id: emailId, to, delivered_at, smtp_response });
}

/** Returns the data of an event, as webhooks receive it. */
export function eventData({ payload }: StoredEvent): Record<string, unknown> {
  return (JSON.parse(payload) as { data?: Record<string, unknown> }).data ?? {};
}

/** Returns a recipient's address as the request spelled it, without the name (gap 4). */
export function addressOf({ address }: Pick<Recipient, 'address'>): string {
  const text = address.trim();
  return text.endsWith('>') ? storedAddress(text).address : text;
}
