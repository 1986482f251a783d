import type { EventType } from '../../contract/vocabulary/event-types.js';
import type { Caller } from './emails.js';
import type { StoredEvent } from './events.js';
import type { WebhookRecord } from './resources.js';

/** The delivery of one event to one subscription: a webhook request and its retries, pending or completed. */
export interface DeliveryRecord {
  id: string;
  webhookId: string;
  eventSeq: number;
  url: string;
  state: 'pending' | 'succeeded' | 'failed';
  attempts: number;
  createdAt: number;
  /** The instant of the next attempt; null if no attempt follows. */
  nextAttemptAt: number | null;
  /** The ID of the delivery that this one replays. */
  replayOf: string | null;
}

/** A delivery with its event, and its subscription unless it was deleted. */
export interface FoundDelivery {
  delivery: DeliveryRecord;
  event: StoredEvent;
  /** Who sent the email of the event; nulls without one. */
  caller: Caller;
  webhook: WebhookRecord | undefined;
}

/** A delivery in a list, with its event and the result of the last attempt. */
export interface DeliveryHead extends DeliveryRecord {
  event: Pick<StoredEvent, 'id' | 'type'>;
  last: Pick<AttemptRecord, 'status' | 'error' | 'durationMs'> | null;
}

export interface DeliveryFilter {
  state?: DeliveryRecord['state'];
  event?: EventType;
  webhookId?: string;
  /** The email of the event. */
  emailId?: string;
  /** Excludes events before this instant. */
  since?: number;
  /** Whether another delivery to the same subscription replays it, whether or not that one succeeds. */
  replayed?: boolean;
  /** The workspace of the subscription; null for those of none. */
  workspace?: string | null;
}

export interface AttemptRecord {
  deliveryId: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  startedAt: number;
  durationMs: number;
  requestHeaders: Record<string, string>;
  /** The HTTP status; null without a response. */
  status: number | null;
  responseHeaders: Record<string, string>;
  /** The response body, cut to 64 KiB. */
  responseBody: string;
  error: string | null;
  /** The ID of the fault that was injected; null for a real attempt. */
  fault: string | null;
}
