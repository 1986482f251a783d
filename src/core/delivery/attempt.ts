import { createHash } from 'node:crypto';
import {
  ATTEMPT_HEADER,
  childTraceparent,
  SIGNATURE_HEADER,
  TRACEPARENT_HEADER,
} from '../../contract/vocabulary/headers.js';
import { describeTimeout, isSuccessStatus } from '../../contract/vocabulary/webhooks/attempts.js';
import { signatureOf } from '../../contract/webhook-signature.js';
import type { Core } from '../context.js';
import { SerialQueue } from '../jobs/deferred-jobs.js';
import type { ItemKind } from '../jobs/job-kinds.js';
import type { UnderWay } from '../jobs/under-way.js';
import type { AttemptRecord, DeliveryRecord } from '../model/deliveries.js';
import type { Caller } from '../model/emails.js';
import type { StoredEvent } from '../model/events.js';
import type { WebhookRecord } from '../model/resources.js';
import type { Clock, Post, PostResult } from '../ports.js';
import type { Transaction } from '../transaction.js';
import { enqueueAttempt } from './dispatcher.js';

/** Makes webhook delivery attempts. Specification: Events, Delivery rules; gaps 22, 23 and 25. */

/** How receivers' responses count, where services differ. Gap 22. */
export interface ReceiverStatuses {
  /** The only status that is a success (default: any 2xx). */
  success?: number | undefined;
  /** A status with which a receiver ends the retries (default: none). */
  rejected?: number | undefined;
}

export interface DeliveryDeps extends Pick<Core, 'store' | 'clock'> {
  post: Post;
  /** Returns whether the server is stopping and must not start another attempt. */
  isStopping(): boolean;
  /** The attempts that are waiting for their receivers. */
  underWay: UnderWay;
  /** Keeps the first attempts of events about the same recipient in order. */
  keyedQueue: KeyedQueue;
  /** The header `User-Agent` of attempts. */
  userAgent: string;
  /** Milliseconds from each failed attempt to the next; one entry per retry. */
  retrySchedule: readonly number[];
  receiverStatuses: ReceiverStatuses;
  /** Milliseconds of system time that a receiver has to respond. */
  timeoutMs: number;
  /** Called after an attempt has been recorded. */
  onAttempt(attempt: CompletedAttempt): void;
}

/** A recorded attempt with its delivery, event and subscription. */
export interface CompletedAttempt {
  attempt: AttemptRecord;
  delivery: DeliveryRecord;
  event: StoredEvent;
  /** Who sent the email of the event. */
  caller: Caller;
  webhook: WebhookRecord;
  /** Maximum number of attempts of this delivery. */
  maxAttempts: number;
}

/** Returns the headers of an attempt: the subscription's and svc's own. svc's own take precedence. */
function requestHeaders(
  { delivery, event, caller, webhook }: DeliveryToMake,
  attempt: number,
  userAgent: string,
): Record<string, string> {
  const trace = caller.traceparent && childTraceparent(caller.traceparent, spanOf(delivery.id, attempt));
  const own = {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    [ATTEMPT_HEADER]: String(attempt),
    ...(webhook.secret !== null && { [SIGNATURE_HEADER]: signatureOf(event.payload, webhook.secret) }),
    ...(trace && { [TRACEPARENT_HEADER]: trace }),
  };
  const taken = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const added = Object.entries(webhook.headers).filter(([name]) => !taken.has(name.toLowerCase()));
  return { ...Object.fromEntries(added), ...own };
}

/** Returns the ID of an attempt in its trace, which differs from that of each other attempt. */
function spanOf(deliveryId: string, attempt: number): string {
  return createHash('sha256').update(`${deliveryId} ${attempt}`).digest('hex').slice(0, 16);
}

/**
 * Returns the kind of job that makes one attempt. First attempts of events about the same recipient are made in the
 * order of the events. Retries do not wait for other events.
 */
export function attemptKind(deps: DeliveryDeps): ItemKind<'webhook.attempt'> {
  // Attempts are queued in the order of their jobs, although a store may answer their reads in another one.
  const inOrder = new SerialQueue();
  return {
    type: 'item',
    async run({ payload: { deliveryId, attempt } }) {
      const read = deps.store.read.deliveries.find(deliveryId);
      read.catch(() => {});
      const found = await inOrder.run(() => read);
      // An attempt can be enqueued twice when a client resumes its subscription after a crash of the server.
      const webhook = found?.webhook;
      if (!webhook?.active || found?.delivery.state !== 'pending' || found.delivery.attempts >= attempt) {
        return (tx) => skipAttempt(tx, deliveryId, webhook);
      }
      const made = await makeAttempt(deps, { ...found, webhook }, attempt);
      if (!made) return 'deferred';
      const completed = completedAttempt(deps, { ...found, webhook }, made);
      return async (tx) => ((await recordAttempt(tx, completed)) ? () => deps.onAttempt(completed) : undefined);
    },
  };
}

type DeliveryToMake = Pick<CompletedAttempt, 'delivery' | 'event' | 'caller' | 'webhook'>;

/**
 * Abandons the delivery if its subscription was deleted or deactivated, unless a client can still resume the
 * subscription.
 */
async function skipAttempt(tx: Transaction, deliveryId: string, webhook: WebhookRecord | undefined): Promise<void> {
  if (!webhook?.ephemeral && !webhook?.active) await tx.deliveries.abandon(deliveryId);
}

/** Posts the event after earlier events about the same recipient. Returns undefined if the server stops before that. */
async function makeAttempt(
  deps: DeliveryDeps,
  found: DeliveryToMake,
  attempt: number,
): Promise<AttemptRecord | undefined> {
  const { clock, keyedQueue, timeoutMs, underWay } = deps;
  const { delivery, event, webhook } = found;
  const headers = requestHeaders(found, attempt, deps.userAgent);
  const post = async (onStart: (timeoutMs: number, cut: () => void) => void) => {
    if (deps.isStopping()) return undefined;
    const startedAt = clock.now();
    const began = clock.systemNow();
    const cut = new AbortController();
    const cutShort = new Promise<PostResult>((resolve) => {
      const error = describeTimeout(timeoutMs);
      cut.signal.addEventListener('abort', () => resolve({ status: null, headers: {}, body: '', error }));
    });
    onStart(timeoutMs, () => cut.abort());
    let fault: string | null = null;
    const onFault = (id: string) => {
      fault = id;
    };
    const { workspace } = webhook;
    const options = { timeoutMs, signal: cut.signal, onFault };
    const request = { url: delivery.url, workspace, headers, body: event.payload, ...options };
    const result = await Promise.race([deps.post(request), cutShort]);
    return {
      deliveryId: delivery.id,
      attempt,
      startedAt,
      durationMs: cut.signal.aborted ? timeoutMs : clock.systemNow() - began,
      requestHeaders: headers,
      status: result.status,
      responseHeaders: result.headers,
      responseBody: result.body,
      error: result.error,
      fault,
    };
  };
  return underWay.track((onStart) =>
    event.emailId === null || attempt > 1
      ? post(onStart)
      : keyedQueue.run(`${webhook.id} ${event.emailId} ${event.recipient}`, () => post(onStart)),
  );
}

function completedAttempt(
  { clock, retrySchedule, receiverStatuses }: DeliveryDeps,
  { delivery, event, caller, webhook }: DeliveryToMake,
  made: AttemptRecord,
): CompletedAttempt {
  const record = { ...made, error: made.error ?? refusedStatus(made, receiverStatuses) };
  const succeeded = record.error === null && isSuccessStatus(record.status);
  const isRejected = made.error === null && record.status === receiverStatuses.rejected;
  const wait = succeeded || isRejected ? undefined : retrySchedule[record.attempt - 1];
  const nextAttemptAt = wait === undefined ? null : clock.now() + wait;
  const state = succeeded ? 'succeeded' : nextAttemptAt === null ? 'failed' : 'pending';
  return {
    attempt: record,
    delivery: { ...delivery, state, attempts: record.attempt, nextAttemptAt },
    event,
    caller,
    webhook,
    maxAttempts: retrySchedule.length + 1,
  };
}

/** Records an attempt, and enqueues the next one if it failed. Returns false if the delivery was deleted. */
async function recordAttempt(tx: Transaction, { attempt: record, delivery }: CompletedAttempt): Promise<boolean> {
  const { id: deliveryId, url, state, nextAttemptAt } = delivery;
  if (!(await tx.deliveries.recordAttempt(record, state, nextAttemptAt))) return false;
  if (nextAttemptAt !== null) {
    await enqueueAttempt(tx, { deliveryId, attempt: record.attempt + 1, url, runAt: nextAttemptAt });
  }
  return true;
}

/** Returns the error of a status of 2xx that a setting makes a failure. */
function refusedStatus({ status }: AttemptRecord, { success }: ReceiverStatuses): string | null {
  if (success === undefined || status === success || !isSuccessStatus(status)) return null;
  return `status ${status} is not ${success} (--webhook-success ${success})`;
}

/** Maximum time that a task waits for the previous one, so that a slow receiver does not block later deliveries forever. */
export const TIMEOUT_MS = 5_000;

/** Runs tasks with the same key one at a time, in order. A task that exceeds the timeout no longer blocks the next. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  constructor(private readonly clock: Pick<Clock, 'after'>) {}

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.#tails.get(key);
    const current = previous ? this.#withTimeout(previous).then(task) : task();
    this.#tails.set(key, current);
    try {
      return await current;
    } finally {
      if (this.#tails.get(key) === current) this.#tails.delete(key);
    }
  }

  #withTimeout(previous: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.clock.after(TIMEOUT_MS, resolve);
      const go = () => {
        cancel();
        resolve();
      };
      previous.then(go, go);
    });
  }
}
