import { matchesRecipient } from '../../contract/recipient-pattern.js';
import type { EventDeps } from '../context.js';
import type { CommitSweep } from '../jobs/job-kinds.js';
import { WorkLoop } from '../jobs/work-loop.js';
import type { StoredEvent } from '../model/events.js';
import type { WebhookRecord } from '../model/resources.js';
import { type Store, StoreUnavailableError } from '../store.js';
import type { Transaction } from '../transaction.js';

/** Reads the event log and enqueues a delivery of each event for every subscription that matches it. */

const BATCH = 500;

export interface DispatcherDeps extends EventDeps {
  store: Store;
  onInternalError(error: unknown): void;
}

/**
 * Creates the deliveries of events in the commit that appends the events. Each subscription's cursor is in the
 * database, so the remaining work needs no job.
 */
export class Dispatcher implements CommitSweep {
  readonly #loop: WorkLoop;
  #unsubscribe = () => {};

  constructor(private readonly deps: DispatcherDeps) {
    this.#loop = new WorkLoop({
      clock: deps.clock,
      step: () => this.#dispatchIfSubscribed(),
      onError(error) {
        // An unavailable store is reported by the callers whose writes failed.
        if (!(error instanceof StoreUnavailableError)) deps.onInternalError(error);
      },
    });
  }

  start(): void {
    const { store } = this.deps;
    const joinCommit = () => store.write((tx) => this.#dispatch(tx));
    this.#unsubscribe = store.beforeCommit(({ events }) => events && this.#loop.kick(joinCommit));
    this.#loop.kick();
  }

  /** Dispatches earlier events to a subscription that was created or resumed. */
  catchUp(): void {
    this.#loop.kick();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#loop.stop();
  }

  /** Waits until every event committed so far has its deliveries. */
  async drain(): Promise<void> {
    this.#loop.kick();
    while (this.#loop.running) await this.#loop.running;
  }

  async #dispatchIfSubscribed(): Promise<boolean> {
    const { store } = this.deps;
    // Without subscriptions, no cursor changes. Even an empty transaction would flush the disk.
    if (!(await store.read.webhooks.hasActive())) return false;
    return store.write((tx) => this.#dispatch(tx));
  }

  /** Dispatches one batch. Returns whether more events may follow. */
  async #dispatch(tx: Transaction): Promise<boolean> {
    if (!(await tx.webhooks.hasActive())) return false;
    const webhooks = (await tx.webhooks.list()).filter(({ active }) => active);
    const events = await tx.events.after(Math.min(...webhooks.map(({ sinceSeq }) => sinceSeq)), BATCH);
    for (const event of events) {
      const subscribed = webhooks.filter((webhook) => isSubscribed(webhook, event));
      // One query serves all subscriptions of workspaces; a server without them makes none.
      const owner = subscribed.some(({ workspace }) => workspace !== null) ? await workspaceOf(tx, event) : null;
      for (const webhook of subscribed) {
        if (webhook.workspace !== null && webhook.workspace !== owner) continue;
        await enqueueDelivery(tx, this.deps, { webhook, event });
      }
    }
    const last = events.at(-1);
    if (last) await tx.webhooks.advance(last.seq);
    return events.length === BATCH;
  }
}

/** An event to deliver to a subscription. */
export interface NewDelivery {
  webhook: WebhookRecord;
  event: StoredEvent;
  /** The ID of the delivery that this one replays. */
  replayOf?: string | null;
}

/** Creates the delivery of an event to a subscription, and the job of its first attempt. Returns the delivery's ID. */
export async function enqueueDelivery(
  tx: Transaction,
  { clock, ids }: EventDeps,
  { webhook, event, replayOf = null }: NewDelivery,
): Promise<string> {
  const now = clock.now();
  const id = ids.next('dlv', now);
  await tx.deliveries.insert({
    id,
    webhookId: webhook.id,
    eventSeq: event.seq,
    url: webhook.url,
    state: 'pending',
    attempts: 0,
    createdAt: now,
    nextAttemptAt: now,
    replayOf,
  });
  await enqueueAttempt(tx, { deliveryId: id, attempt: 1, url: webhook.url, runAt: now });
  return id;
}

/** One attempt to enqueue. */
export interface NewAttempt {
  deliveryId: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  url: string;
  runAt: number;
}

/** Adds the job of an attempt. */
export async function enqueueAttempt(tx: Transaction, { deliveryId, attempt, url, runAt }: NewAttempt): Promise<void> {
  const payload = { deliveryId, attempt };
  // Attempts to the same receiver share a queue, even if they belong to different subscriptions.
  await tx.jobs.add({ kind: 'webhook.attempt', queue: new URL(url).origin, runAt, payload });
}

/** Returns the workspace of an event's email, whose subscriptions receive the event; null for none. */
export async function workspaceOf(tx: Transaction, { emailId }: StoredEvent): Promise<string | null> {
  return emailId === null ? null : ((await tx.emails.findWithoutBodies(emailId))?.workspace ?? null);
}

function isSubscribed(webhook: WebhookRecord, event: StoredEvent): boolean {
  return event.seq > webhook.sinceSeq && isFor(webhook, event);
}

/** Returns whether the types and recipients of a subscription include an event. */
export function isFor({ events, recipientPattern }: WebhookRecord, { type, recipient }: StoredEvent): boolean {
  // Events without a recipient match every pattern.
  const matches = recipientPattern === null || recipient === null || matchesRecipient(recipientPattern, recipient);
  return matches && events.includes(type);
}
