import type { StoredEvent } from './model.js';
import type { Store } from './store.js';
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
  const fresh = new FreshEvents();
  const stopListening = store.onCommit(({ events, appended, replaced }) => {
    if (replaced) {
      fresh.clear();
      seq = replaced.lastEvent;
      stale = true;
      told = false;
    }
    fresh.add(appended);
    if (events) wakeUp.ring();
  });
  try {
    while (!options.signal.aborted) {
      stale = false;
      const events = fresh.takeAfter(seq) ?? (await store.read.events.after(seq, BATCH));
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

/** The newest events as they were committed, so that a reader who keeps up need not ask the store for them. */
class FreshEvents {
  #events: StoredEvent[] = [];

  add(appended: readonly StoredEvent[]): void {
    // Its reader is slow, and asks the store.
    if (this.#events.length + appended.length > BATCH) this.clear();
    else this.#events.push(...appended);
  }

  clear(): void {
    this.#events = [];
  }

  /** The events after a sequence number, or nothing when the first of them is not here. */
  takeAfter(seq: number): StoredEvent[] | undefined {
    const events = this.#events.filter((event) => event.seq > seq);
    this.clear();
    return events[0]?.seq === seq + 1 ? events : undefined;
  }
}
