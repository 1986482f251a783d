import type { Core } from '../context.js';
import { STORE_RETRY_MS, StoreUnavailableError } from '../store.js';

/** Number of emails that one transaction indexes, in about 10 ms. */
const BATCH = 64;
/** Milliseconds to wait after a change, so that one batch indexes several emails. */
const DELAY_MS = 200;
/** The same after a change of another server. */
const FOREIGN_DELAY_MS = 2_000;
/** While other writes run, indexing waits for this multiple of the time that a batch took. */
const SHARE = 4;

export interface SearchIndexingDeps extends Pick<Core, 'store' | 'clock'> {
  onInternalError(error: unknown): void;
}

/**
 * Indexes the emails that wait for it: those of an import, and all of them after the index was damaged. A search tests
 * each of them meanwhile. Indexing takes at most a fifth of the time while the server is busy.
 */
export class SearchIndexing {
  /** Number of commits that changed emails. */
  #commits = 0;
  #stopped = false;
  #running: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #unsubscribe = () => {};

  constructor(private readonly deps: SearchIndexingDeps) {}

  start(): void {
    this.#unsubscribe = this.deps.store.onCommit(({ emails, replaced, foreign }) => {
      if (emails.length === 0 && !replaced) return;
      this.#commits += 1;
      // Another server indexes its own emails, unless it ends before.
      this.#schedule(foreign ? FOREIGN_DELAY_MS : DELAY_MS);
    });
    this.#schedule(DELAY_MS);
  }

  /** Stops after the current batch. The next start indexes the remaining emails. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    this.#cancel?.();
    await this.#running;
  }

  #schedule(milliseconds: number): void {
    if (this.#stopped || this.#running || this.#cancel) return;
    this.#cancel = this.deps.clock.after(milliseconds, () => {
      this.#cancel = undefined;
      this.#running = this.#run().finally(() => {
        this.#running = undefined;
      });
    });
  }

  /** Indexes batches until none is left, or other writes should come first. */
  async #run(): Promise<void> {
    const { store, clock, onInternalError } = this.deps;
    try {
      while (!this.#stopped && (await store.read.emails.unindexed(1)) > 0) {
        const commits = this.#commits;
        let took = 0;
        await store.write(async (tx) => {
          const start = clock.systemNow();
          await tx.emails.indexNext(BATCH);
          took = clock.systemNow() - start;
        });
        if (this.#commits !== commits) {
          this.#resume(Math.max(1, took * SHARE));
          return;
        }
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) onInternalError(error);
      this.#resume(STORE_RETRY_MS);
    }
  }

  /** Continues later. The current run has not ended yet, so it cannot be scheduled at once. */
  #resume(milliseconds: number): void {
    queueMicrotask(() => void this.#running?.then(() => this.#schedule(milliseconds)));
  }
}
