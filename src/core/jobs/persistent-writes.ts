import { type Clock, isTemporary } from '../ports.js';
import { STORE_RETRY_MS, type Store } from '../store.js';
import type { Transaction } from '../transaction.js';

export interface PersistentWritesDeps {
  store: Pick<Store, 'write'>;
  clock: Pick<Clock, 'after'>;
  onInternalError(error: unknown): void;
}

/** Writes what must not be lost, again and again while the store is unavailable. */
export class PersistentWrites {
  /** Functions that end the pauses between attempts. */
  readonly #pauses = new Set<() => void>();
  #stopped = false;

  constructor(private readonly deps: PersistentWritesDeps) {}

  /**
   * Writes, and reports the first error.
   * @throws StoreUnavailableError if the store is unavailable after `stop`, and any other error at once.
   */
  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.deps.store.write(work);
      } catch (error) {
        if (!isTemporary(error) || this.#stopped) throw error;
        if (attempt === 1) this.deps.onInternalError(error);
        await this.#pause();
      }
    }
  }

  /** Ends the pauses. Each write has one attempt left. */
  stop(): void {
    this.#stopped = true;
    for (const end of this.#pauses) end();
  }

  async #pause(): Promise<void> {
    let cancel = () => {};
    let end = () => {};
    await new Promise<void>((resolve) => {
      end = resolve;
      this.#pauses.add(end);
      cancel = this.deps.clock.after(STORE_RETRY_MS, resolve);
    });
    cancel();
    this.#pauses.delete(end);
  }
}
