import { ATTEMPT_HEADER, SIGNATURE_HEADER } from '../../contract/vocabulary/webhook-headers.js';
import { signatureOf } from '../../contract/webhook-signature.js';
import type { Core } from '../context.js';
import type { AttemptRecord, DeliveryRecord, Job, StoredEvent, WebhookRecord } from '../model.js';
import type { Post } from '../ports.js';
import { type AttemptJob, queueOf } from './dispatcher.js';
import type { KeyedQueue } from './keyed-queue.js';

/** Makes webhook attempts. Specification: Events, Delivery rules; decisions 22, 23 and 25. */

export interface DeliveryDeps extends Pick<Core, 'store' | 'clock'> {
  post: Post;
  /** Whether the server is going down: nothing more is posted. */
  isStopping(): boolean;
  /** Keeps events about one recipient's mail in their order. */
  keyedQueue: KeyedQueue;
  /** What this software calls itself to receivers. */
  userAgent: string;
  /** Milliseconds from a failed attempt to the next, one entry a retry. */
  retrySchedule: readonly number[];
  /** Milliseconds of the machine's time that a receiver has for its whole response. */
  timeoutMs: number;
  /** Called after an attempt has been recorded. */
  onAttempt(attempt: CompletedAttempt): void;
}

/** An attempt with all it was about. */
export interface CompletedAttempt {
  attempt: AttemptRecord;
  delivery: DeliveryRecord;
  event: StoredEvent;
  webhook: WebhookRecord;
  /** How many attempts there will be at the most. */
  maxAttempts: number;
}

function requestHeaders(
  { event, webhook }: Pick<CompletedAttempt, 'event' | 'webhook'>,
  attempt: number,
  userAgent: string,
): Record<string, string> {
  const own = {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    [ATTEMPT_HEADER]: String(attempt),
    ...(webhook.secret !== null && { [SIGNATURE_HEADER]: signatureOf(event.payload, webhook.secret) }),
  };
  const taken = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const added = Object.entries(webhook.headers).filter(([name]) => !taken.has(name.toLowerCase()));
  return { ...Object.fromEntries(added), ...own };
}

/**
 * Runs one attempt's job, and lines up the next when it failed. The first attempts of the events about one recipient's mail
 * are made in the order of the events; a retry waits for nobody. `releaseSlot` is called when the receiver has answered. Answers
 * `deferred` when the server stops before it is made.
 */
export async function attemptDelivery(
  deps: DeliveryDeps,
  job: Job,
  releaseSlot: () => void,
): Promise<'deferred' | void> {
  const { store, clock, keyedQueue, retrySchedule } = deps;
  const { deliveryId, attempt } = job.payload as AttemptJob['payload'];
  const found = await store.read.deliveries.find(deliveryId);
  // Gone, switched off, or done already: an attempt can be lined up twice when a reader comes back after a crash.
  if (!found?.webhook.active || found.delivery.state !== 'pending' || found.delivery.attempts >= attempt) {
    await store.write(async (tx) => {
      await tx.jobs.complete(job.seq);
      // One that `listen` made is resumed when its reader comes back; any other is not sent what came while it was off.
      if (!found?.webhook.ephemeral && !found?.webhook.active) await tx.deliveries.abandon(deliveryId);
    });
    return;
  }
  const { event, webhook } = found;
  const headers = requestHeaders(found, attempt, deps.userAgent);
  const post = async () => {
    // It waited for its turn, which comes after the next start.
    if (deps.isStopping()) return undefined;
    const startedAt = clock.now();
    const began = clock.systemNow();
    const { url } = found.delivery;
    const result = await deps.post({ url, headers, body: event.payload, timeoutMs: deps.timeoutMs });
    return { result, startedAt, durationMs: clock.systemNow() - began };
  };
  const about = event.emailId !== null && attempt === 1 ? `${webhook.id} ${event.emailId} ${event.recipient}` : null;
  const made = await (about === null ? post() : keyedQueue.run(about, post));
  if (!made) return 'deferred';
  const { result, startedAt, durationMs } = made;
  const record: AttemptRecord = {
    deliveryId,
    attempt,
    startedAt,
    durationMs,
    requestHeaders: headers,
    status: result.status,
    responseHeaders: result.headers,
    responseBody: result.body,
    error: result.error,
  };
  const succeeded = result.error === null && result.status !== null && result.status >= 200 && result.status < 300;
  const wait = succeeded ? undefined : retrySchedule[attempt - 1];
  const nextAttemptAt = wait === undefined ? null : clock.now() + wait;
  const state = succeeded ? 'succeeded' : nextAttemptAt === null ? 'failed' : 'pending';
  const written = store.write(async (tx) => {
    if (!(await tx.jobs.complete(job.seq)) || !(await tx.deliveries.recordAttempt(record, state, nextAttemptAt)))
      return false;
    if (nextAttemptAt === null) return true;
    const next: AttemptJob = {
      kind: 'webhook.attempt',
      queue: queueOf(found.delivery),
      runAt: nextAttemptAt,
      payload: { deliveryId, attempt: attempt + 1 },
    };
    await tx.jobs.add(next);
    return true;
  });
  // What is claimed next is claimed in the commit that records this.
  releaseSlot();
  if (!(await written)) return;
  const delivery: DeliveryRecord = { ...found.delivery, state, attempts: attempt, nextAttemptAt };
  deps.onAttempt({ attempt: record, delivery, event, webhook, maxAttempts: retrySchedule.length + 1 });
}
