import type { StoredEvent } from '../model/events.js';
import type { Committed, Store } from '../store.js';
import { HeartbeatSignal, type WaitOptions } from './server-sent-events.js';

/** Number of rows to read at once. */
export const BATCH = 200;

/**
 * Yields every event after a sequence number, in order, then new events as they are committed. Yields `undefined` when
 * all have been read, after each idle period, and when the log was replaced or emptied or emails were deleted. Ends when
 * the signal aborts.
 */
export async function* tailEvents(
  store: Store,
  after: number,
  options: WaitOptions,
): AsyncGenerator<StoredEvent | undefined> {
  const changed = new HeartbeatSignal(options);
  const recent = new RecentEvents();
  const onCommit = ({ events, appended, replaced }: Committed) => {
    if (replaced) recent.clear();
    recent.add(appended);
    if (events) changed.notify();
  };
  const unsubscribe = store.onCommit(onCommit, { events: true });
  const read = async (seq: number) => recent.takeAfter(seq) ?? (await store.read.events.after(seq, BATCH));
  try {
    yield* tailRows({ store, after, read, lastOf: ({ lastEvent }) => lastEvent, changed, signal: options.signal });
  } finally {
    unsubscribe();
    changed.close();
  }
}

/** Yields the events between two sequence numbers, in order: after the first, up to the second. */
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

/**
 * Yields the payload of every event from now on, in order. Ends when the signal aborts, after the last event at that
 * time.
 */
export async function* eventPayloads(store: Store, signal: AbortSignal): AsyncGenerator<string> {
  let seq = await store.read.events.lastSeq();
  // The reader is in this process, so it needs no heartbeat.
  for await (const event of tailEvents(store, seq, { signal, idle: () => () => {} })) {
    if (!event) continue;
    seq = event.seq;
    yield event.payload;
  }
  // Events may have been committed that a slow reader has not received.
  for await (const event of eventsBetween(store, seq, await store.read.events.lastSeq())) yield event.payload;
}

interface TailOptions<Row> {
  store: Store;
  /** The sequence number after which to start. */
  after: number;
  /** Returns the rows after a number, in order, at most one batch. */
  read(seq: number): Promise<Row[]>;
  /** Returns the number from which to continue after everything was replaced or emptied. */
  lastOf(replaced: NonNullable<Committed['replaced']>): number;
  /** Notified when rows may have been added. */
  changed: HeartbeatSignal;
  signal: AbortSignal;
}

/**
 * Yields every row after a sequence number, in order. Yields `undefined` when all have been read, after each idle
 * period, and when the rows were replaced or emptied or emails were deleted. Ends when the signal aborts.
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
  const unsubscribe = store.onCommit(({ replaced, deleted }) => {
    if (!replaced && !deleted) return;
    if (replaced) {
      seq = lastOf(replaced);
      stale = true;
    }
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

/** Caches events as they are committed, so that a fast reader needs no query. */
class RecentEvents {
  #events: StoredEvent[] = [];

  add(appended: readonly StoredEvent[]): void {
    // A slow reader reads from the store instead.
    if (this.#events.length + appended.length > BATCH) this.clear();
    else this.#events.push(...appended);
  }

  clear(): void {
    this.#events = [];
  }

  /**
   * Returns the events after a sequence number; undefined if any of them is not cached, because another process may
   * have appended it.
   */
  takeAfter(seq: number): StoredEvent[] | undefined {
    const events = this.#events.filter((event) => event.seq > seq);
    this.clear();
    return events.length > 0 && events.at(-1)?.seq === seq + events.length ? events : undefined;
  }
}
