import type { AttemptReport } from '../contract/delivery-control.js';
import type { EventType } from '../contract/events.js';
import { type Core, timestamp, timestampOrNull } from './context.js';
import type { Attempted } from './delivery.js';
import type { WebhookRecord } from './model.js';
import { type WaitOptions, WakeUp } from './wake-up.js';

/** Subscriptions that live as long as somebody reads their attempts. */

export interface ListenRequest {
  url: string;
  events: EventType[];
  recipientPattern: string | null;
  headers: Record<string, string>;
  /** Events after this one; those from now on when absent. */
  after: number | undefined;
  secret: string;
}

/** Told of every attempt; passes each on to whoever listens. */
export class AttemptFeed {
  readonly #listeners = new Set<(attempted: Attempted) => void>();

  publish(attempted: Attempted): void {
    for (const listener of this.#listeners) listener(attempted);
  }

  subscribe(listener: (attempted: Attempted) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/**
 * Makes the subscription, yields it once it is there, then every attempt; `undefined` after each idle spell. Ends with the
 * signal, and takes the subscription away.
 */
export async function* listen(
  { store, clock, ids }: Pick<Core, 'store' | 'clock' | 'ids'>,
  feed: AttemptFeed,
  request: ListenRequest,
  options: WaitOptions,
): AsyncGenerator<WebhookRecord | Attempted | undefined> {
  const now = clock.now();
  const webhook: WebhookRecord = {
    id: ids.next('whk', now),
    url: request.url,
    events: request.events,
    secret: request.secret,
    active: true,
    ephemeral: true,
    recipientPattern: request.recipientPattern,
    headers: request.headers,
    sinceSeq: 0,
    createdAt: now,
    updatedAt: now,
  };
  const waiting: Attempted[] = [];
  const wakeUp = new WakeUp(options);
  const unsubscribe = feed.subscribe((attempted) => {
    if (attempted.webhook.id !== webhook.id) return;
    waiting.push(attempted);
    wakeUp.ring();
  });
  try {
    await store.write(async (tx) => {
      webhook.sinceSeq = request.after ?? (await tx.events.lastSeq());
      await tx.webhooks.insert(webhook);
    });
    yield webhook;
    while (!options.signal.aborted) {
      const next = waiting.shift();
      if (next) yield next;
      else if (await wakeUp.wait()) yield undefined;
    }
  } finally {
    unsubscribe();
    wakeUp.close();
    await store.write((tx) => tx.webhooks.delete(webhook.id));
  }
}

export function reportOf({ attempt, delivery, event, of }: Attempted): AttemptReport {
  return {
    delivery_id: delivery.id,
    event_id: event.id,
    event_seq: event.seq,
    type: event.type,
    url: delivery.url,
    attempt: attempt.attempt,
    of,
    at: timestamp(attempt.startedAt),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
    response_body: attempt.responseBody,
    next_attempt_at: timestampOrNull(delivery.nextAttemptAt),
    payload: event.payload,
    request_headers: attempt.requestHeaders,
    response_headers: attempt.responseHeaders,
  };
}
