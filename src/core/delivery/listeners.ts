import { DAY_MS } from '../../contract/vocabulary/limits.js';
import type { Core } from '../context.js';
import type { WebhookRecord } from '../model/resources.js';
import type { Transaction } from '../transaction.js';
import { enqueueAttempt } from './dispatcher.js';

/** How long a temporary webhook stays active after the server that serves its client was killed, in milliseconds. */
const ALIVE_MS = 60_000;
const RENEW_MS = 20_000;

type Deps = Pick<Core, 'store' | 'clock'>;

/** Activates a temporary webhook, and enqueues its pending deliveries: their attempts were skipped meanwhile. */
export async function activate(tx: Transaction, webhook: WebhookRecord, now: number): Promise<void> {
  await tx.webhooks.update({ ...webhook, active: true });
  for (const { id, attempts } of await tx.deliveries.pendingOf(webhook.id)) {
    await enqueueAttempt(tx, { deliveryId: id, attempt: attempts + 1, url: webhook.url, runAt: now });
  }
}

/**
 * Shows other servers on the database that a client listens to a temporary webhook. Calls `onActivated` when it has
 * activated the webhook again, because it may have missed events. Returns the function that ends it.
 */
export async function keepAlive(
  { store, clock }: Deps,
  webhookId: string,
  onActivated: () => void,
): Promise<() => void> {
  const kept = store.shared?.kept;
  if (!kept) return () => {};
  let isEnded = false;
  let cancel = () => {};
  const renew = async () => {
    await kept.put(keyOf(webhookId), '', clock.systemNow() + ALIVE_MS);
    const isInactive = (webhook: WebhookRecord | undefined) => webhook && !webhook.active && !isEnded;
    if (!isInactive(await store.read.webhooks.find(webhookId))) return;
    // After an outage of the database, another server has disabled it before this renewal.
    await store.write(async (tx) => {
      const webhook = await tx.webhooks.find(webhookId);
      if (webhook && isInactive(webhook)) await activate(tx, webhook, clock.now());
    });
    onActivated();
  };
  const renewLater = () => {
    cancel = clock.after(RENEW_MS, () => {
      // The next renewal is in time if the database is available again.
      renew().catch(() => {});
      renewLater();
    });
  };
  await renew();
  renewLater();
  return () => {
    isEnded = true;
    cancel();
  };
}

/**
 * Disables temporary webhooks of servers that were killed, and deletes those that are a day old. On a database of
 * several servers it does so repeatedly. Returns the function that ends it.
 */
export async function expireListeners(deps: Deps): Promise<() => void> {
  const { store, clock } = deps;
  let cancel = () => {};
  let silent = new Set(await expireSilent(deps, () => !store.shared));
  const expireLater = () => {
    cancel = clock.after(ALIVE_MS, () => {
      expireSilent(deps, (id) => silent.has(id))
        .then((ids) => {
          silent = new Set(ids);
        })
        // The next run is a minute later.
        .catch(() => {});
      expireLater();
    });
  };
  if (store.shared) expireLater();
  return () => cancel();
}

/**
 * Returns the temporary webhooks without a client, after it expired those for which `isGone` is true. A client that has
 * just subscribed has a webhook for a moment before it shows that it listens.
 */
async function expireSilent({ store, clock }: Deps, isGone: (id: string) => boolean): Promise<string[]> {
  const before = clock.now() - DAY_MS;
  const silent: string[] = [];
  for (const { id, ephemeral, active, events, createdAt } of await store.read.webhooks.list()) {
    // A webhook without event types belongs to a replay to another URL, which needs no client.
    const isDue = ephemeral && ((active && events.length > 0) || createdAt < before);
    if (isDue && (await store.shared?.kept.find(keyOf(id))) === undefined) silent.push(id);
  }
  const gone = silent.filter(isGone);
  if (gone.length > 0) await store.write((tx) => tx.webhooks.expireEphemeral(gone, before));
  return silent;
}

function keyOf(webhookId: string): string {
  return `listener ${webhookId}`;
}
