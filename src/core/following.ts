import type { StoredEvent } from './model.js';
import type { Store } from './ports.js';
import { type WaitOptions, WakeUp } from './wake-up.js';

const BATCH = 200;

/**
 * Yields every event after a sequence number, in order, and then those to come; `undefined` once there are no more, after
 * each idle spell, and when everything was replaced or emptied. Ends with the signal.
 */
export async function* follow(
  store: Store,
  after: number,
  options: WaitOptions,
): AsyncGenerator<StoredEvent | undefined> {
  const wakeUp = new WakeUp(options);
  let seq = after;
  let stale = false;
  let told = false;
  const stopListening = store.onCommit(({ events, replaced }) => {
    if (replaced) {
      seq = replaced.lastEvent;
      stale = true;
      told = false;
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
      if (stale || events.length === BATCH) continue;
      if (!told || (await wakeUp.wait())) {
        told = true;
        yield undefined;
      }
    }
  } finally {
    stopListening();
    wakeUp.close();
  }
}
