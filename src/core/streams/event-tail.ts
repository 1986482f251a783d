import type { StoredEvent } from '../model.js';
import type { Committed, Store } from '../store.js';
import { AsyncSignal, type WaitOptions } from './async-signal.js';

/** How many rows are read at once. */
export const BATCH = 200;

/**
 * Yields every event after a sequence number, in order, then new ones as they are committed; `undefined` when the
 * reader has caught up, after each idle period, and when the log was replaced or emptied. Ends with the signal.
 */
export async function* tailEvents(
  store: Store,
  after: number,
  options: WaitOptions,
): AsyncGenerator<StoredEvent | undefined> {
  const changed = new AsyncSignal(options);
  const recent = new RecentEvents();
  const unsubscribe = store.onCommit(({ events, appended, replaced }) => {
    if (replaced) recent.clear();
    recent.add(appended);
    if (events) changed.notify();
  });
  const read = async (seq: number) => recent.takeAfter(seq) ?? (await store.read.events.after(seq, BATCH));
  try {
    yield* tailRows({ store, after, read, lastOf: ({ lastEvent }) => lastEvent, changed, signal: options.signal });
  } finally {
    unsubscribe();
    changed.close();
  }
}

/** Yields the events after a sequence number, in order, up to another. */
async function* eventsBetween(store: Store, after: number, last: number): AsyncGenerator<StoredEvent> {
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

/** Yields the payload of every event from now on, in order, up to the last one at the time of the signal. */
export async function* eventPayloads(store: Store, signal: AbortSignal): AsyncGenerator<string> {
  let seq = await store.read.events.lastSeq();
  // Its reader is in this process, so no sign of life is needed.
  for await (const event of tailEvents(store, seq, { signal, idle: () => () => {} })) {
    if (!event) continue;
    seq = event.seq;
    yield event.payload;
  }
  // A reader may be slower than the events arrive.
  for await (const event of eventsBetween(store, seq, await store.read.events.lastSeq())) yield event.payload;
}

interface TailOptions<Row> {
  store: Store;
  /** The number of the last row that the reader has seen. */
  after: number;
  /** Returns the rows after a number, in order: at most a batch. */
  read(seq: number): Promise<Row[]>;
  /** Returns the same number after everything was replaced or emptied. */
  lastOf(replaced: NonNullable<Committed['replaced']>): number;
  /** Notified when there may be more rows. */
  changed: AsyncSignal;
  signal: AbortSignal;
}

/**
 * Yields every row after a sequence number, in order; `undefined` when the reader has caught up, after each idle
 * period, and when the rows were replaced or emptied. Ends with the signal.
 */
export async function* tailRows<Row extends { seq: number }>({
  store,
  after,
  read,
  lastOf,
  changed,
  signal,
}: TailOptions<Row>): AsyncGenerator<Row | undefined> {
  let seq = after;
  let stale = false;
  let caughtUp = false;
  const unsubscribe = store.onCommit(({ replaced }) => {
    if (!replaced) return;
    seq = lastOf(replaced);
    stale = true;
    caughtUp = false;
    changed.notify();
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
      if (!caughtUp || (await changed.wait())) {
        caughtUp = true;
        yield undefined;
      }
    }
  } finally {
    unsubscribe();
  }
}

/** Holds events as they were committed, so that a reader that keeps up needs no query. */
class RecentEvents {
  #events: StoredEvent[] = [];

  add(appended: readonly StoredEvent[]): void {
    // Its reader is slow, and reads from the store.
    if (this.#events.length + appended.length > BATCH) this.clear();
    else this.#events.push(...appended);
  }

  clear(): void {
    this.#events = [];
  }

  /**
   * Returns the events after a sequence number, or nothing when one of them is missing here: another process may have
   * appended it.
   */
  takeAfter(seq: number): StoredEvent[] | undefined {
    const events = this.#events.filter((event) => event.seq > seq);
    this.clear();
    return events.length > 0 && events.at(-1)?.seq === seq + events.length ? events : undefined;
  }
}
