import type { AttemptReport } from '../../contract/control/deliveries.js';
import type { EventType } from '../../contract/vocabulary/event-types.js';
import { type Core, timestamp, timestampOrNull } from '../context.js';
import type { WebhookRecord } from '../model.js';
import { AsyncSignal, type WaitOptions } from '../streams/async-signal.js';
import type { Transaction } from '../transaction.js';
import type { CompletedAttempt } from './attempt.js';
import { type AttemptJob, queueOf } from './dispatcher.js';

/** Subscriptions that live as long as somebody reads their attempts. */

export interface ListenRequest {
  url: string;
  events: EventType[];
  recipientPattern: string | null;
  headers: Record<string, string>;
  secret: string;
  /** An earlier subscription to go on with. */
  resume: string | undefined;
  /** The id of the newest event that it told of. */
  after: string | undefined;
  /** The start of a server that it was of. */
  instance: string | undefined;
}

/** This start of the server, and the number of the last event before it. */
export interface ServerStart {
  instance: string;
  lastEvent(): number;
}

/** Attempts that wait for a slow reader; every one is in the database too. */
const BUFFERED_MAX = 1_000;

/** So many attempts are not told of, because their reader was too slow. */
export interface Missed {
  missed: number;
}

/** Attempts that a slow reader has not taken yet. Beyond the limit the oldest are dropped and counted. */
class AttemptBuffer {
  readonly #attempts: CompletedAttempt[] = [];
  #missed = 0;

  push(attempted: CompletedAttempt): void {
    if (this.#attempts.push(attempted) <= BUFFERED_MAX) return;
    this.#attempts.shift();
    this.#missed += 1;
  }

  /** What is to be told next: first what was missed. */
  next(): CompletedAttempt | Missed | undefined {
    const missed = this.#missed;
    this.#missed = 0;
    return missed > 0 ? { missed } : this.#attempts.shift();
  }
}

/** Told of every attempt; passes each on to whoever listens. */
export class AttemptFeed {
  readonly #listeners = new Set<(attempted: CompletedAttempt) => void>();

  publish(attempted: CompletedAttempt): void {
    for (const listener of this.#listeners) listener(attempted);
  }

  subscribe(listener: (attempted: CompletedAttempt) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Yields `undefined` once no attempt is missed, then every attempt; `undefined` after each idle spell. Ends with the signal. */
  async *follow(wait: WaitOptions): AsyncGenerator<CompletedAttempt | undefined> {
    const buffer = new AttemptBuffer();
    const changed = new AsyncSignal(wait);
    const unsubscribe = this.subscribe((attempted) => {
      buffer.push(attempted);
      changed.notify();
    });
    try {
      yield undefined;
      while (!wait.signal.aborted) {
        const next = buffer.next();
        if (next && 'missed' in next) continue;
        if (next) yield next;
        else if (await changed.wait()) yield undefined;
      }
    } finally {
      unsubscribe();
      changed.close();
    }
  }
}

export interface ListenOptions extends WaitOptions {
  start: ServerStart;
  /** Told when there is a subscription that may not have got every event. */
  onSubscribed(): void;
  /** Whether the server is what ends the stream; its reader may then come back for the rest. */
  stopping: AbortSignal;
}

/**
 * Makes the subscription, yields it once it is there, then every attempt, or how many a slow reader missed; `undefined` after
 * each idle spell. Ends with the signal, and takes the subscription away, unless the server stops: then it is only switched off, to be resumed.
 */
export async function* streamAttempts(
  core: Pick<Core, 'store' | 'clock' | 'ids'>,
  feed: AttemptFeed,
  request: ListenRequest,
  options: ListenOptions,
): AsyncGenerator<WebhookRecord | CompletedAttempt | Missed | undefined> {
  const { store } = core;
  const buffer = new AttemptBuffer();
  const changed = new AsyncSignal(options);
  let webhook: WebhookRecord | undefined;
  const unsubscribe = feed.subscribe((attempted) => {
    if (attempted.webhook.id !== webhook?.id) return;
    buffer.push(attempted);
    changed.notify();
  });
  try {
    webhook = await store.write((tx) => subscribe(tx, core, request, options.start));
    options.onSubscribed();
    yield webhook;
    while (!options.signal.aborted) {
      const next = buffer.next();
      if (next) yield next;
      else if (await changed.wait()) yield undefined;
    }
  } finally {
    unsubscribe();
    changed.close();
    const made = webhook;
    if (made) {
      await store.write(async (tx) => {
        const now = await tx.webhooks.find(made.id);
        if (now && options.stopping.aborted) await tx.webhooks.update({ ...now, active: false });
        else await tx.webhooks.delete(made.id);
      });
    }
  }
}

/** A new subscription, or the earlier one with its cursor, and its deliveries that have an attempt to come. */
async function subscribe(
  tx: Transaction,
  { clock, ids }: Pick<Core, 'clock' | 'ids'>,
  request: ListenRequest,
  start: ServerStart,
): Promise<WebhookRecord> {
  const now = clock.now();
  const { url, events, secret, recipientPattern, headers } = request;
  const wanted = { url, events, secret, recipientPattern, headers, active: true, ephemeral: true, updatedAt: now };
  const earlier = request.resume === undefined ? undefined : await tx.webhooks.find(request.resume);
  if (earlier?.ephemeral) {
    const webhook = { ...earlier, ...wanted };
    await tx.webhooks.update(webhook);
    for (const { id, attempts } of await tx.deliveries.pendingOf(webhook.id)) {
      const payload = { deliveryId: id, attempt: attempts + 1 };
      const job: AttemptJob = { kind: 'webhook.attempt', queue: queueOf(webhook), runAt: now, payload };
      await tx.jobs.add(job);
    }
    return webhook;
  }
  const sinceSeq = await startCursor(tx, request, start);
  const webhook: WebhookRecord = { ...wanted, id: ids.next('whk', now), sinceSeq, createdAt: now };
  await tx.webhooks.insert(webhook);
  return webhook;
}

/**
 * Returns the sequence number of the last event that the reader has seen. Sequence numbers of another log are
 * meaningless, so the reader’s position is found by event id; to a reader of an earlier server, everything since this
 * start is new.
 */
async function startCursor(tx: Transaction, { after, instance }: ListenRequest, start: ServerStart): Promise<number> {
  const lastReported = after === undefined ? undefined : await tx.events.find(after);
  if (lastReported) return lastReported.seq;
  return instance === undefined || instance === start.instance ? tx.events.lastSeq() : start.lastEvent();
}

export function reportOf({ attempt, delivery, event, maxAttempts }: CompletedAttempt): AttemptReport {
  return {
    delivery_id: delivery.id,
    event_id: event.id,
    event_seq: event.seq,
    type: event.type,
    url: delivery.url,
    attempt: attempt.attempt,
    max_attempts: maxAttempts,
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
