import { randomUUID } from 'node:crypto';
import type { ServerStart } from '../core/delivery/ephemeral-subscriptions.js';
import type { Store } from '../core/store.js';

/**
 * Creates an ID for this start of the server, and records the last event before it. Updates that event if the log is
 * replaced.
 */
export async function recordStart(store: Store): Promise<ServerStart> {
  let lastEvent = await store.read.events.lastSeq();
  store.onCommit(({ replaced }) => {
    if (replaced) lastEvent = replaced.lastEvent;
  });
  return { instance: randomUUID(), lastEvent: () => lastEvent };
}
