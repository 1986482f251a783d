import type { AttemptReport } from '../contract/delivery-control.js';
import type { EventType } from '../contract/events.js';
import { type Core, timestamp, timestampOrNull } from './context.js';
import type { Attempted } from './delivery.js';
import { type AttemptJob, queueOf } from './dispatcher.js';
import type { WebhookRecord } from './model.js';
import type { Transaction } from './transaction.js';
import { type WaitOptions, WakeUp } from './wake-up.js';

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
export interface Start {
  instance: string;
  lastEvent(): number;
}

/** Attempts that wait for a slow reader; every one is in the database too. */
const WAITING_MAX = 1_000;

/** So many attempts are not told of, because their reader was too slow. */
export interface Missed {
  missed: number;
}

/** Attempts that wait for their reader. Of too many the oldest go, and are counted. */
class WaitingAttempts {
  readonly #attempts: Attempted[] = [];
  #missed = 0;

  push(attempted: Attempted): void {
    if (this.#attempts.push(attempted) <= WAITING_MAX) return;
    this.#attempts.shift();
    this.#missed += 1;
  }

  /** What is to be told next: first what was missed. */
  next(): Attempted | Missed | undefined {
    const missed = this.#missed;
    this.#missed = 0;
    return missed > 0 ? { missed } : this.#attempts.shift();
  }
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

  /** Yields `undefined` once no attempt is missed, then every attempt; `undefined` after each idle spell. Ends with the signal. */
  async *follow(wait: WaitOptions): AsyncGenerator<Attempted | undefined> {
    const waiting = new WaitingAttempts();
    const wakeUp = new WakeUp(wait);
    const unsubscribe = this.subscribe((attempted) => {
      waiting.push(attempted);
      wakeUp.ring();
    });
    try {
      yield undefined;
      while (!wait.signal.aborted) {
        const next = waiting.next();
        if (next && 'missed' in next) continue;
        if (next) yield next;
        else if (await wakeUp.wait()) yield undefined;
      }
    } finally {
      unsubscribe();
      wakeUp.close();
    }
  }
}

export interface ListenOptions extends WaitOptions {
  start: Start;
  /** Told when there is a subscription that may not have got every event. */
  onSubscribed(): void;
  /** Whether the server is what ends the stream; its reader may then come back for the rest. */
  stopping: AbortSignal;
}

/**
 * Makes the subscription, yields it once it is there, then every attempt, or how many a slow reader missed; `undefined` after
 * each idle spell. Ends with the signal, and takes the subscription away, unless the server stops: then it is only switched off, to be resumed.
 */
export async function* listen(
  core: Pick<Core, 'store' | 'clock' | 'ids'>,
  feed: AttemptFeed,
  request: ListenRequest,
  options: ListenOptions,
): AsyncGenerator<WebhookRecord | Attempted | Missed | undefined> {
  const { store } = core;
  const waiting = new WaitingAttempts();
  const wakeUp = new WakeUp(options);
  let webhook: WebhookRecord | undefined;
  const unsubscribe = feed.subscribe((attempted) => {
    if (attempted.webhook.id !== webhook?.id) return;
    waiting.push(attempted);
    wakeUp.ring();
  });
  try {
    webhook = await store.write((tx) => subscribe(tx, core, request, options.start));
    options.onSubscribed();
    yield webhook;
    while (!options.signal.aborted) {
      const next = waiting.next();
      if (next) yield next;
      else if (await wakeUp.wait()) yield undefined;
    }
  } finally {
    unsubscribe();
    wakeUp.close();
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
  start: Start,
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
  const sinceSeq = await newsAfter(tx, request, start);
  const webhook: WebhookRecord = { ...wanted, id: ids.next('whk', now), sinceSeq, createdAt: now };
  await tx.webhooks.insert(webhook);
  return webhook;
}

/**
 * The number of the last event that is no news. Numbers of another log say nothing: a reader's place is known by its event,
 * and to a reader of a server that was started anew without its log, everything since the start is news.
 */
async function newsAfter(tx: Transaction, { after, instance }: ListenRequest, start: Start): Promise<number> {
  const told = after === undefined ? undefined : await tx.events.find(after);
  if (told) return told.seq;
  return instance === undefined || instance === start.instance ? tx.events.lastSeq() : start.lastEvent();
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
