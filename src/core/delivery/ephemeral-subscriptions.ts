import type { AttemptReport } from '../../contract/control/webhooks.js';
import type { EventType } from '../../contract/vocabulary/event-types.js';
import { type Core, type EventDeps, timestamp, timestampOrNull } from '../context.js';
import { SerialQueue } from '../jobs/deferred-jobs.js';
import type { WebhookRecord } from '../model/resources.js';
import type { AttemptRef } from '../store.js';
import { HeartbeatSignal, type WaitOptions } from '../streams/server-sent-events.js';
import type { Transaction } from '../transaction.js';
import type { CompletedAttempt, DeliveryDeps } from './attempt.js';
import { activate, keepAlive } from './listeners.js';

/** Manages subscriptions that exist while a client streams their attempts. */

export interface ListenRequest {
  url: string;
  events: EventType[];
  recipientPattern: string | null;
  headers: Record<string, string>;
  secret: string;
  /** The ID of an earlier subscription to resume. */
  resume: string | undefined;
  /** The ID of the newest event that the client received. */
  after: string | undefined;
  /** The ID of the server start in which the earlier subscription was created. */
  instance: string | undefined;
}

/** Identifies this start of the server, with the sequence number of the last event before it. */
export interface ServerStart {
  instance: string;
  /** On the machine's clock. */
  startedAt: number;
  lastEvent(): number;
}

/** Maximum number of attempts to keep in memory for a slow client. All attempts are also in the database. */
const BUFFERED_MAX = 1_000;

/** The number of attempts that were skipped because the client was too slow. */
export interface Missed {
  missed: number;
}

/** Buffers attempts for a slow client. When it is full, drops the oldest attempts and counts them. */
class AttemptBuffer {
  readonly #attempts: CompletedAttempt[] = [];
  #missed = 0;

  push(attempted: CompletedAttempt): void {
    if (this.#attempts.push(attempted) <= BUFFERED_MAX) return;
    this.#attempts.shift();
    this.#missed += 1;
  }

  /** Returns the next item to send. If attempts were dropped, their number comes first. */
  next(): CompletedAttempt | Missed | undefined {
    const missed = this.#missed;
    this.#missed = 0;
    return missed > 0 ? { missed } : this.#attempts.shift();
  }
}

/** Sends every attempt to its subscribers. */
export class AttemptFeed {
  readonly #listeners = new Set<(attempted: CompletedAttempt) => void>();
  readonly #ofOwn = new Set<(attempted: CompletedAttempt) => void>();

  /** Whether there are subscribers of the attempts of all servers on the database. */
  get isFollowed(): boolean {
    return this.#listeners.size > 0;
  }

  /** Publishes an attempt of this server. */
  publish(attempted: CompletedAttempt): void {
    for (const listener of this.#ofOwn) listener(attempted);
    this.publishForeign(attempted);
  }

  /** Publishes an attempt of another server on the database. */
  publishForeign(attempted: CompletedAttempt): void {
    for (const listener of this.#listeners) listener(attempted);
  }

  subscribeToOwn(listener: (attempted: CompletedAttempt) => void): () => void {
    this.#ofOwn.add(listener);
    return () => this.#ofOwn.delete(listener);
  }

  subscribe(listener: (attempted: CompletedAttempt) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Yields `undefined` once it is subscribed, then every attempt, and `undefined` after each idle period. Ends when the
   * signal aborts.
   */
  async *follow(wait: WaitOptions): AsyncGenerator<CompletedAttempt | undefined> {
    const buffer = new AttemptBuffer();
    const changed = new HeartbeatSignal(wait);
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
  /** Called when a subscription was created or resumed, because it may have missed events. */
  onSubscribed(): void;
  /** Aborted when the server stops. The client may then resume at the next server. */
  stopping: AbortSignal;
}

/**
 * Creates the subscription and yields it. Then yields every attempt, or the number of attempts that a slow client
 * missed, and `undefined` after each idle period. Deletes the subscription when the signal aborts. If the server stops,
 * it only deactivates the subscription, so that the client can resume it.
 */
export async function* streamAttempts(
  core: Pick<Core, 'store' | 'clock' | 'ids'>,
  feed: AttemptFeed,
  request: ListenRequest,
  options: ListenOptions,
): AsyncGenerator<WebhookRecord | CompletedAttempt | Missed | undefined> {
  const { store } = core;
  const buffer = new AttemptBuffer();
  const changed = new HeartbeatSignal(options);
  let webhook: WebhookRecord | undefined;
  let cancelRenewal = () => {};
  const unsubscribe = feed.subscribe((attempted) => {
    if (attempted.webhook.id !== webhook?.id) return;
    buffer.push(attempted);
    changed.notify();
  });
  try {
    webhook = await store.write((tx) => subscribe(tx, core, request, options.start));
    cancelRenewal = await keepAlive(core, webhook.id, options.onSubscribed);
    options.onSubscribed();
    yield webhook;
    while (!options.signal.aborted) {
      const next = buffer.next();
      if (next) yield next;
      else if (await changed.wait()) yield undefined;
    }
  } finally {
    unsubscribe();
    cancelRenewal();
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

/** Creates a subscription, or activates the earlier one, which keeps its cursor and its pending deliveries. */
async function subscribe(
  tx: Transaction,
  { clock, ids }: EventDeps,
  request: ListenRequest,
  start: ServerStart,
): Promise<WebhookRecord> {
  const now = clock.now();
  const { url, events, secret, recipientPattern, headers } = request;
  const wanted = { url, events, secret, recipientPattern, headers, active: true, ephemeral: true, updatedAt: now };
  const earlier = request.resume === undefined ? undefined : await tx.webhooks.find(request.resume);
  if (earlier?.ephemeral) {
    const webhook = { ...earlier, ...wanted };
    await activate(tx, webhook, now);
    return webhook;
  }
  const sinceSeq = await startCursor(tx, request, start);
  const id = ids.next('whk', now);
  // The scope of the caller's key sets the workspace.
  const webhook: WebhookRecord = { ...wanted, id, workspace: null, sinceSeq, createdAt: now };
  await tx.webhooks.insert(webhook);
  return webhook;
}

/**
 * Returns the sequence number of the last event that the client received. It is found by the event's ID, because
 * sequence numbers of another event log cannot be compared. A client of an earlier server receives every event since
 * this start.
 */
async function startCursor(tx: Transaction, { after, instance }: ListenRequest, start: ServerStart): Promise<number> {
  const lastReported = after === undefined ? undefined : await tx.events.find(after);
  if (lastReported) return lastReported.seq;
  // The event was removed with its email, or by a reset. IDs are in the order of creation.
  if (after !== undefined && instance === start.instance) return tx.events.lastBefore(after);
  return instance === undefined || instance === start.instance ? tx.events.lastSeq() : start.lastEvent();
}

export function reportOf({
  attempt,
  delivery,
  event,
  maxAttempts,
}: Omit<CompletedAttempt, 'caller' | 'webhook'>): AttemptReport {
  return {
    delivery_id: delivery.id,
    webhook_id: delivery.webhookId,
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
    fault: attempt.fault,
    response_body: attempt.responseBody,
    next_attempt_at: timestampOrNull(delivery.nextAttemptAt),
    payload: event.payload,
    request_headers: attempt.requestHeaders,
    response_headers: attempt.responseHeaders,
  };
}

interface ForeignAttemptsDeps extends Pick<DeliveryDeps, 'store' | 'retrySchedule'> {
  feed: AttemptFeed;
  onInternalError(error: unknown): void;
}

/** Publishes the attempts of other servers on the database to streams of this one, in the order of their commits. */
export function publishForeignAttempts({ store, feed, retrySchedule, onInternalError }: ForeignAttemptsDeps): void {
  const inOrder = new SerialQueue();
  const { deliveries } = store.read;

  async function publish({ deliveryId, attempt: number }: AttemptRef): Promise<void> {
    const found = await deliveries.find(deliveryId);
    const attempt = (await deliveries.attempts(deliveryId)).find((each) => each.attempt === number);
    if (!found?.webhook || !attempt) return;
    feed.publishForeign({ ...found, webhook: found.webhook, attempt, maxAttempts: retrySchedule.length + 1 });
  }

  store.onCommit(({ foreign, attempts }) => {
    if (!foreign || !attempts || !feed.isFollowed) return;
    for (const attempt of attempts) inOrder.run(() => publish(attempt)).catch(onInternalError);
  });
}
