import { REQUESTS_KEPT } from '../contract/request-log-control.js';
import { BATCH, followRows } from './following.js';
import type { NewRequest, RequestFilter, RequestRecord } from './model.js';
import type { Clock } from './ports.js';
import { STORE_RETRY_MS, type Store } from './store.js';
import { type WaitOptions, WakeUp } from './wake-up.js';

/** How long a request may wait to be written, so that a rush of them shares a write. */
const WRITE_AFTER_MS = 100;

/**
 * The request log. A request is noted in memory and written a moment later with those beside it, so that no call waits for
 * the log; a crash can lose that moment.
 */
export class RequestLog {
  #noted: NewRequest[] = [];
  #cancel: (() => void) | undefined;
  #last: Promise<void> = Promise.resolve();
  readonly #readers = new Set<() => void>();

  constructor(private readonly options: { store: Store; clock: Clock; onFault(error: unknown): void }) {}

  note(request: NewRequest): void {
    this.#noted.push(request);
    if (this.#noted.length > REQUESTS_KEPT) this.#noted.shift();
    this.#writeAfter(WRITE_AFTER_MS);
  }

  /** Writes what has been noted. Never fails: what cannot be written is kept and tried again. */
  flush(): Promise<void> {
    this.#last = this.#last.then(() => this.#write());
    return this.#last;
  }

  /**
   * Yields `undefined` once no request is missed, then every request that passes the filter; `undefined` after each idle
   * spell, and when everything was replaced or emptied.
   */
  async *follow(filter: RequestFilter, wait: WaitOptions): AsyncGenerator<RequestRecord | undefined> {
    const { store } = this.options;
    const wakeUp = new WakeUp(wait);
    const ring = () => wakeUp.ring();
    this.#readers.add(ring);
    try {
      await this.flush();
      yield* followRows({
        store,
        after: await store.read.requests.lastSeq(),
        read: (seq) => store.read.requests.after(seq, filter, BATCH),
        lastOf: ({ lastRequest }) => lastRequest,
        wakeUp,
        signal: wait.signal,
      });
    } finally {
      this.#readers.delete(ring);
      wakeUp.close();
    }
  }

  #writeAfter(milliseconds: number): void {
    this.#cancel ??= this.options.clock.after(milliseconds, () => void this.flush());
  }

  async #write(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const requests = this.#noted;
    if (requests.length === 0) return;
    this.#noted = [];
    try {
      await this.options.store.write((tx) => tx.requests.append(requests, REQUESTS_KEPT));
    } catch (error) {
      this.options.onFault(error);
      this.#noted = [...requests, ...this.#noted].slice(-REQUESTS_KEPT);
      this.#writeAfter(STORE_RETRY_MS);
      return;
    }
    for (const ring of this.#readers) ring();
  }
}
