import { OWN_READS_KEPT, REQUESTS_KEPT } from '../../contract/vocabulary/limits.js';
import type { NewRequest, RequestFilter, RequestRecord } from '../model/requests.js';
import type { Clock } from '../ports.js';
import { STORE_RETRY_MS, type Store } from '../store.js';
import { BATCH, tailRows } from './event-tail.js';
import { HeartbeatSignal, type WaitOptions } from './heartbeat-signal.js';

/** Maximum milliseconds before a request is written, so that requests of a burst share a write. */
const WRITE_AFTER_MS = 100;
/** Number of requests between deletions of the oldest. To find them, the whole log is read. */
const TRIM_AFTER = 1_000;

/**
 * Stores the request log. Requests are collected in memory and written together a moment later, so that calls do not
 * wait for the log. A crash loses the requests of that moment.
 */
export class RequestLog {
  #unwritten: NewRequest[] = [];
  #untrimmed = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #last: Promise<void> = Promise.resolve();
  readonly #readers = new Set<() => void>();

  constructor(private readonly options: { store: Store; clock: Clock; onInternalError(error: unknown): void }) {}

  append(request: NewRequest): void {
    this.#unwritten.push(request);
    if (this.#unwritten.length > REQUESTS_KEPT) this.#unwritten.shift();
    this.#writeAfter(WRITE_AFTER_MS);
  }

  /** Writes the collected requests. Never fails: after an error they are kept and retried. */
  flush(): Promise<void> {
    this.#last = this.#last.then(() => this.#write());
    return this.#last;
  }

  /**
   * Yields requests after `after` that match the filter, if it is given. Yields `undefined` once no request can be
   * missed, then every new one. Yields `undefined` after each idle period, and when everything was replaced or
   * emptied.
   */
  async *follow(filter: RequestFilter, wait: WaitOptions, after?: number): AsyncGenerator<RequestRecord | undefined> {
    const { store } = this.options;
    const changed = new HeartbeatSignal(wait);
    const notify = () => changed.notify();
    this.#readers.add(notify);
    try {
      await this.flush();
      yield* tailRows({
        store,
        after: after ?? (await store.read.requests.lastSeq()),
        read: (seq) => store.read.requests.after(seq, filter, BATCH),
        lastOf: ({ lastRequest }) => lastRequest,
        changed,
        signal: wait.signal,
      });
    } finally {
      this.#readers.delete(notify);
      changed.close();
    }
  }

  #writeAfter(milliseconds: number): void {
    this.#cancel ??= this.options.clock.after(milliseconds, () => void this.flush());
  }

  async #write(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const requests = this.#unwritten;
    if (requests.length === 0) return;
    this.#unwritten = [];
    try {
      await this.#store(requests);
    } catch (error) {
      this.options.onInternalError(error);
      this.#unwritten = [...requests, ...this.#unwritten].slice(-REQUESTS_KEPT);
      this.#writeAfter(STORE_RETRY_MS);
      return;
    }
    for (const notify of this.#readers) notify();
  }

  async #store(requests: readonly NewRequest[]): Promise<void> {
    const untrimmed = this.#untrimmed + requests.length;
    const isFull = untrimmed >= TRIM_AFTER;
    await this.options.store.write(async ({ requests: table }) => {
      await table.append(requests);
      if (isFull) await table.trim(REQUESTS_KEPT, OWN_READS_KEPT);
    });
    this.#untrimmed = isFull ? 0 : untrimmed;
  }
}
