import type { StoredEvent } from './model.js';
import type { Store } from './ports.js';
import { type WaitOptions, WakeUp } from './wake-up.js';

const BATCH = 200;

/**
 * Yields every event after a sequence number, in order, and then those to come; `undefined` after each idle spell. Ends
 * with the signal.
 */
export async function* follow(
  store: Store,
  after: number,
  options: WaitOptions,
): AsyncGenerator<StoredEvent | undefined> {
  const wakeUp = new WakeUp(options);
  let seq = after;
  let stale = false;
  const stopListening = store.onCommit(({ events, replaced }) => {
    if (replaced) {
      seq = replaced.lastEvent;
      stale = true;
    }
    if (events) wakeUp.ring();
  });
  try {
    while (!options.signal.aborted) {
      stale = false;
      const events = await store.read.events.after(seq, BATCH);
      for (const event of events) {
        if (options.signal.aborted) return;
        if (stale) break;
        yield event;
        if (!stale) seq = event.seq;
      }
      if (events.length < BATCH && (await wakeUp.wait())) yield undefined;
    }
  } finally {
    stopListening();
    wakeUp.close();
  }
}
