import type { Clock } from '../ports.js';
import type { Reads } from '../reads.js';
import { type Committed, STORE_RETRY_MS, type Store } from '../store.js';
import type { Transaction } from '../transaction.js';
import { BATCH, tailRows } from './event-tail.js';
import { HeartbeatSignal, type WaitOptions } from './server-sent-events.js';

export interface LogDeps {
  store: Store;
  clock: Clock;
  onInternalError(error: unknown): void;
}

/** What a log keeps, and how. */
export interface LogForm<Entry, Filter, Row> {
  /** Maximum milliseconds before an entry is written, so that entries of a burst share a write. */
  writeAfterMs: number;
  /** The same while the log is followed. */
  writeAfterFollowedMs: number;
  /** Number of entries between deletions of the oldest. To find them, the whole log is read. */
  trimAfter: number;
  /** Maximum number of entries that wait to be written. */
  waitingMax: number;
  /** Returns whether an entry may be dropped before others if too many wait. Default: the oldest is dropped. */
  isMinor?(entry: Entry): boolean;
  append(tx: Transaction, entries: readonly Entry[]): Promise<void>;
  trim(tx: Transaction): Promise<void>;
  rowsOf(reads: Reads): {
    after(seq: number, filter: Filter, limit: number): Promise<Row[]>;
    lastSeq(): Promise<number>;
  };
  /** Returns the number from which to continue after everything was replaced or emptied. */
  lastOf(replaced: NonNullable<Committed['replaced']>): number;
}

/**
 * Stores a log. Entries are collected in memory and written together a moment later, so that clients do not wait for
 * the log. A crash loses the entries of that moment.
 */
export class BufferedLog<Entry, Filter, Row extends { seq: number }> {
  #unwritten: Entry[] = [];
  #untrimmed = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #last: Promise<void> = Promise.resolve();
  readonly #readers = new Set<() => void>();

  constructor(
    private readonly deps: LogDeps,
    private readonly form: LogForm<Entry, Filter, Row>,
  ) {}

  append(entry: Entry): void {
    const { writeAfterMs, writeAfterFollowedMs } = this.form;
    this.#unwritten.push(entry);
    this.#dropSurplus();
    this.#writeAfter(this.#readers.size > 0 ? writeAfterFollowedMs : writeAfterMs);
  }

  /** Writes the collected entries. Never fails: after an error they are kept and retried. */
  flush(): Promise<void> {
    this.#last = this.#last.then(() => this.#write());
    return this.#last;
  }

  /**
   * Runs a change that empties the log. Entries that wait to be written are dropped, unless someone follows the log, and
   * kept if the change fails.
   */
  async whileEmptied(change: () => Promise<void>): Promise<void> {
    await (this.#readers.size > 0 ? this.flush() : this.#last);
    const entries = this.#unwritten;
    this.#unwritten = [];
    try {
      await change();
    } catch (error) {
      this.#keep(entries);
      throw error;
    }
  }

  /**
   * Yields entries after `after` that match the filter, if it is given. Yields `undefined` once no entry can be
   * missed, then every new one. Yields `undefined` after each idle period, and when everything was replaced or
   * emptied.
   */
  async *follow(filter: Filter, wait: WaitOptions, after?: number): AsyncGenerator<Row | undefined> {
    const { store } = this.deps;
    const rows = this.form.rowsOf(store.read);
    const changed = new HeartbeatSignal(wait);
    const notify = () => changed.notify();
    this.#readers.add(notify);
    const unsubscribe = store.onCommit(({ foreign, logs }) => foreign && logs && notify());
    try {
      await this.flush();
      yield* tailRows({
        store,
        after: after ?? (await rows.lastSeq()),
        read: (seq) => rows.after(seq, filter, BATCH),
        lastOf: this.form.lastOf,
        changed,
        signal: wait.signal,
      });
    } finally {
      this.#readers.delete(notify);
      unsubscribe();
      changed.close();
    }
  }

  #writeAfter(milliseconds: number): void {
    this.#cancel ??= this.deps.clock.after(milliseconds, () => void this.flush());
  }

  async #write(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const entries = this.#unwritten;
    if (entries.length === 0) return;
    this.#unwritten = [];
    try {
      await this.#store(entries);
    } catch (error) {
      this.deps.onInternalError(error);
      this.#keep(entries);
      return;
    }
    for (const notify of this.#readers) notify();
  }

  /** Keeps entries that were not written, and tries again later. */
  #keep(entries: Entry[]): void {
    this.#unwritten = [...entries, ...this.#unwritten];
    this.#dropSurplus();
    this.#writeAfter(STORE_RETRY_MS);
  }

  async #store(entries: readonly Entry[]): Promise<void> {
    const untrimmed = this.#untrimmed + entries.length;
    const isFull = untrimmed >= this.form.trimAfter;
    await this.deps.store.write(async (tx) => {
      await this.form.append(tx, entries);
      if (isFull) await this.form.trim(tx);
    });
    this.#untrimmed = isFull ? 0 : untrimmed;
  }

  #dropSurplus(): void {
    const { waitingMax, isMinor = () => true } = this.form;
    for (let surplus = this.#unwritten.length - waitingMax; surplus > 0; surplus -= 1) {
      this.#unwritten.splice(Math.max(0, this.#unwritten.findIndex(isMinor)), 1);
    }
  }
}
