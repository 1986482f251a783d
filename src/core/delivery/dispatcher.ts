import { matchesRecipient } from '../../contract/vocabulary/parsers/recipient-pattern.js';
import type { Core } from '../context.js';
import type { NewJob, StoredEvent, WebhookRecord } from '../model.js';
import { STORE_RETRY_MS, StoreUnavailableError } from '../store.js';
import type { Reads, Transaction } from '../transaction.js';

/** Reads the event log and lines up a delivery of each event to every subscription that asks for it. */

export interface AttemptJob extends NewJob {
  kind: 'webhook.attempt';
  payload: { deliveryId: string; attempt: number };
}

const BATCH = 500;

export class Dispatcher {
  #loop: Promise<void> | undefined;
  #again = false;
  #unsubscribe = () => {};
  #cancelRetry = () => {};
  #failing = false;

  constructor(
    private readonly core: Pick<Core, 'store' | 'clock' | 'ids'>,
    private readonly onInternalError: (error: unknown) => void,
  ) {}

  start(): void {
    this.#unsubscribe = this.core.store.beforeCommit(({ events }) => events && this.#joinCommit());
    this.#kick();
  }

  /** Lines up what a subscription has not got that was made or resumed: no event need come for it. */
  catchUp(): void {
    this.#kick();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#cancelRetry();
    await this.#loop;
  }

  /** Waits until every event committed so far has its deliveries. */
  async drain(): Promise<void> {
    this.#kick();
    while (this.#loop) await this.#loop;
  }

  #kick(): void {
    this.#again = true;
    if (!this.#loop) this.#start(Promise.resolve(false));
  }

  /** Goes on while there is more after what is dispatched first. */
  #start(first: Promise<boolean>): void {
    this.#loop = this.#run(first)
      .then(
        () => {
          this.#failing = false;
        },
        (error: unknown) => this.#retryLater(error),
      )
      .finally(() => {
        this.#loop = undefined;
        if (this.#again) this.#kick();
      });
  }

  /** Dispatches in the commit that is about to be made, unless there is one under way that is waited for. */
  #joinCommit(): void {
    if (this.#loop) this.#again = true;
    else this.#start(this.core.store.write((tx) => this.#dispatch(tx)));
  }

  /** Tries again later, whatever went wrong. Nothing is lost: no cursor has moved. */
  #retryLater(error: unknown): void {
    // A store that cannot write is reported by those who write to it.
    if (!this.#failing && !(error instanceof StoreUnavailableError)) this.onInternalError(error);
    this.#failing = true;
    this.#cancelRetry();
    this.#cancelRetry = this.core.clock.after(STORE_RETRY_MS, () => this.#kick());
  }

  async #run(first: Promise<boolean>): Promise<void> {
    const { store } = this.core;
    if (await first) this.#again = true;
    while (this.#again) {
      this.#again = false;
      // Nobody to tell: no transaction, and no cursor to move, because each subscription has its own.
      if (!(await activeWebhooks(store.read)).length) return;
      if (await store.write((tx) => this.#dispatch(tx))) this.#again = true;
    }
  }

  /** Dispatches one batch; true when there may be more. */
  async #dispatch(tx: Transaction): Promise<boolean> {
    const webhooks = await activeWebhooks(tx);
    if (!webhooks.length) return false;
    const events = await tx.events.after(Math.min(...webhooks.map(({ sinceSeq }) => sinceSeq)), BATCH);
    for (const event of events) {
      for (const webhook of webhooks)
        if (isSubscribed(webhook, event)) await enqueueDelivery(tx, this.core, webhook, event, null);
    }
    const last = events.at(-1);
    if (last) await tx.webhooks.advance(last.seq);
    return events.length === BATCH;
  }
}

/** Attempts at one receiver share a queue, whatever subscription they belong to. */
export function queueOf({ url }: Pick<WebhookRecord, 'url'>): string {
  return new URL(url).origin;
}

/** Creates the delivery of an event to a subscription and the job of its first attempt. Returns the delivery’s id. */
export async function enqueueDelivery(
  tx: Transaction,
  { clock, ids }: Pick<Core, 'clock' | 'ids'>,
  webhook: WebhookRecord,
  event: StoredEvent,
  replayOf: string | null,
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
  const payload = { deliveryId: id, attempt: 1 };
  const job: AttemptJob = { kind: 'webhook.attempt', queue: queueOf(webhook), runAt: now, payload };
  await tx.jobs.add(job);
  return id;
}

async function activeWebhooks(reads: Pick<Reads, 'webhooks'>): Promise<WebhookRecord[]> {
  return (await reads.webhooks.list()).filter(({ active }) => active);
}

function isSubscribed(webhook: WebhookRecord, event: StoredEvent): boolean {
  const { recipientPattern } = webhook;
  // An event that is about nobody goes to every pattern.
  const matchesPattern =
    recipientPattern === null || event.recipient === null || matchesRecipient(recipientPattern, event.recipient);
  return matchesPattern && event.seq > webhook.sinceSeq && webhook.events.includes(event.type);
}
