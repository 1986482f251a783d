import { randomUUID } from 'node:crypto';
import type { ServerStart } from '../core/delivery/ephemeral-subscriptions.js';
import type { Clock } from '../core/ports.js';
import type { Kept, Store } from '../core/store.js';

/**
 * Creates an ID for this start of the server, which is the same for all servers on a database, and records its time and
 * the last event before it. That event changes if the log is replaced.
 */
export async function recordStart(store: Store, clock: Pick<Clock, 'systemNow'>, kept: Kept): Promise<ServerStart> {
  const startedAt = clock.systemNow();
  let lastEvent = await store.read.events.lastSeq();
  store.onCommit(({ replaced }) => {
    if (replaced) lastEvent = replaced.lastEvent;
  });
  const instance = await kept.first('instance', randomUUID(), Number.MAX_SAFE_INTEGER);
  return { instance, startedAt, lastEvent: () => lastEvent };
}
