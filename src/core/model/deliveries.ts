import type { EventType } from '../../contract/vocabulary/event-types.js';
import type { StoredEvent } from './events.js';

/** One event to one subscription: a webhook request and its retries, pending or done. */
export interface DeliveryRecord {
  id: string;
  webhookId: string;
  eventSeq: number;
  url: string;
  state: 'pending' | 'succeeded' | 'failed';
  attempts: number;
  createdAt: number;
  /** Null when no attempt is to come. */
  nextAttemptAt: number | null;
  /** The delivery that this one repeats. */
  replayOf: string | null;
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
  /** Only events since this instant. */
  since?: number;
}

export interface AttemptRecord {
  deliveryId: string;
  /** From 1. */
  attempt: number;
  startedAt: number;
  durationMs: number;
  requestHeaders: Record<string, string>;
  /** Null when there was no response. */
  status: number | null;
  responseHeaders: Record<string, string>;
  /** At most the first 64 KiB. */
  responseBody: string;
  error: string | null;
}
