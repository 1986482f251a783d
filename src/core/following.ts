import type { StoredEvent } from './model.js';
import type { Committed, Store } from './store.js';
import { type WaitOptions, WakeUp } from './wake-up.js';

/** How many rows are read at once. */
export const BATCH = 200;

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
  const fresh = new FreshEvents();
  const stopListening = store.onCommit(({ events, appended, replaced }) => {
    if (replaced) fresh.clear();
    fresh.add(appended);
    if (events) wakeUp.ring();
  });
  const read = async (seq: number) => fresh.takeAfter(seq) ?? (await store.read.events.after(seq, BATCH));
  try {
    yield* followRows({ store, after, read, lastOf: ({ lastEvent }) => lastEvent, wakeUp, signal: options.signal });
  } finally {
    stopListening();
    wakeUp.close();
  }
}

/** Yields the events after a sequence number, in order, up to another. */
export async function* eventsUpTo(store: Store, after: number, last: number): AsyncGenerator<StoredEvent> {
  let seq = after;
  while (seq < last) {
    const events = await store.read.events.after(seq, BATCH);
    if (events.length === 0) return;
    for (const event of events) {
      if (event.seq > last) return;
      seq = event.seq;
      yield event;
    }
  }
}

interface Followed<Row> {
  store: Store;
  /** The number of the last row that is no news. */
  after: number;
  /** The rows after a number, in order: at most so many as a batch has. */
  read(seq: number): Promise<Row[]>;
  /** The same number when everything was replaced or emptied. */
  lastOf(replaced: NonNullable<Committed['replaced']>): number;
  /** Rung when there may be more. */
  wakeUp: WakeUp;
  signal: AbortSignal;
}

/**
 * Yields every row that comes after one, in order; `undefined` once there are no more, after each idle spell, and when
 * everything was replaced or emptied. Ends with the signal.
 */
export async function* followRows<Row extends { seq: number }>({
  store,
  after,
  read,
  lastOf,
  wakeUp,
  signal,
}: Followed<Row>): AsyncGenerator<Row | undefined> {
  let seq = after;
  let stale = false;
  let told = false;
  const stopListening = store.onCommit(({ replaced }) => {
    if (!replaced) return;
    seq = lastOf(replaced);
    stale = true;
    told = false;
    wakeUp.ring();
  });
  try {
    while (!signal.aborted) {
      stale = false;
      const rows = await read(seq);
      for (const row of rows) {
        if (signal.aborted) return;
        if (stale) break;
        yield row;
        if (!stale) seq = row.seq;
      }
      if (stale || rows.length === BATCH) continue;
      if (!told || (await wakeUp.wait())) {
        told = true;
        yield undefined;
      }
    }
  } finally {
    stopListening();
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

  /** The events after a sequence number, or nothing when one of them is not here: another process may have appended it. */
  takeAfter(seq: number): StoredEvent[] | undefined {
    const events = this.#events.filter((event) => event.seq > seq);
    this.clear();
    return events.length > 0 && events.at(-1)?.seq === seq + events.length ? events : undefined;
  }
}
