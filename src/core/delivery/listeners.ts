import { DAY_MS } from '../../contract/vocabulary/limits.js';
import type { Core } from '../context.js';

/** How long a temporary webhook stays active after the server that serves its client was killed, in milliseconds. */
const ALIVE_MS = 60_000;
const RENEW_MS = 20_000;

type Deps = Pick<Core, 'store' | 'clock'>;

/** Shows other servers on the database that a client listens to a temporary webhook. Returns the function that ends it. */
export async function keepAlive({ store, clock }: Deps, webhookId: string): Promise<() => void> {
  const kept = store.shared?.kept;
  if (!kept) return () => {};
  let cancel = () => {};
  const renew = () => kept.put(keyOf(webhookId), '', clock.systemNow() + ALIVE_MS);
  const renewLater = () => {
    cancel = clock.after(RENEW_MS, () => {
      // The next renewal is in time if the database is available again.
      renew().catch(() => {});
      renewLater();
    });
  };
  await renew();
  renewLater();
  return () => cancel();
}

/** Disables temporary webhooks of servers that were killed, and deletes those that are a day old. */
export async function expireListeners({ store, clock }: Deps): Promise<void> {
  const listening: string[] = [];
  for (const { id, ephemeral, active } of store.shared ? await store.read.webhooks.list() : []) {
    if (ephemeral && active && (await store.shared?.kept.find(keyOf(id))) !== undefined) listening.push(id);
  }
  await store.write((tx) => tx.webhooks.expireEphemeral(clock.now() - DAY_MS, listening));
}

/** Repeats that on a database of several servers. Returns the function that ends it. */
export function expireListenersRepeatedly(deps: Deps): () => void {
  if (!deps.store.shared) return () => {};
  let cancel = () => {};
  const expireLater = () => {
    cancel = deps.clock.after(ALIVE_MS, () => {
      // The next run is a minute later.
      expireListeners(deps).catch(() => {});
      expireLater();
    });
  };
  expireLater();
  return () => cancel();
}

function keyOf(webhookId: string): string {
  return `listener ${webhookId}`;
}
