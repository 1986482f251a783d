import type { Core } from '../context.js';
import { STORE_RETRY_MS, StoreUnavailableError } from '../store.js';

/** Number of emails that one transaction indexes, in about 15 ms. */
const BATCH = 32;
/** Milliseconds to wait after a change, so that one batch indexes several emails. */
const DELAY_MS = 200;
/** The same after a change of another server. */
const FOREIGN_DELAY_MS = 2_000;

export interface SearchIndexingDeps extends Pick<Core, 'store' | 'clock'> {
  onInternalError(error: unknown): void;
}

/**
 * Indexes the emails that wait for it. On SQLite these are all new ones, because a batch takes a third of the CPU time. On
 * both engines they are those of an import, and all of them after the index was damaged. A search tests each of them
 * meanwhile. While the server is busy, a batch is followed by a pause of the same length.
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

  /** Stops after one more batch, for commands without a server. The next server indexes the remaining emails. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    this.#cancel?.();
    await this.#running;
    await this.#indexSome().catch((error) => this.#report(error));
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
    try {
      while (!this.#stopped) {
        const commits = this.#commits;
        const took = await this.#indexSome();
        if (took === null) return;
        if (this.#commits !== commits) return this.#resume(Math.max(1, took));
      }
    } catch (error) {
      this.#report(error);
      this.#resume(STORE_RETRY_MS);
    }
  }

  /** Indexes a batch. Returns how many milliseconds that took; null if no email waits. */
  async #indexSome(): Promise<number | null> {
    const { store, clock } = this.deps;
    if ((await store.read.emails.unindexed(1)) === 0) return null;
    return store.write(async (tx) => {
      const start = clock.systemNow();
      await tx.emails.indexNext(BATCH);
      return clock.systemNow() - start;
    });
  }

  #report(error: unknown): void {
    if (!(error instanceof StoreUnavailableError)) this.deps.onInternalError(error);
  }

  /** Continues later. The current run has not ended yet, so it cannot be scheduled at once. */
  #resume(milliseconds: number): void {
    queueMicrotask(() => void this.#running?.then(() => this.#schedule(milliseconds)));
  }
}

/** Number of emails that must wait to be indexed for a report. Fewer take a second or two. */
const MANY = 5_000;
/** Milliseconds between two reports. */
const INTERVAL_MS = 5_000;

/** How far the index of searches is complete, after an upgrade, an import or damage. */
export interface IndexedSoFar {
  indexed: number;
  total: number;
}

/** Reports how many emails are indexed while many wait: at once, every five seconds, and at the end. */
export class IndexProgress {
  readonly #listeners: ((progress: IndexedSoFar) => void)[] = [];
  #last: IndexedSoFar | undefined;
  #checking: Promise<void> | undefined;
  #stopped = false;
  #cancel: (() => void) | undefined;
  #unsubscribe = () => {};

  constructor(private readonly deps: Pick<Core, 'store' | 'clock'>) {}

  start(): void {
    this.#unsubscribe = this.deps.store.onCommit(() => this.#check());
    this.#check();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    this.#cancel?.();
    await this.#checking;
  }

  /** Calls a listener with every report, and at once with the last one if emails still wait. */
  onReport(listener: (progress: IndexedSoFar) => void): void {
    this.#listeners.push(listener);
    if (this.#last) listener(this.#last);
  }

  /** Counts the emails that wait, unless that was done in the last seconds. */
  #check(): void {
    if (this.#stopped || this.#cancel || this.#checking) return;
    this.#checking = this.#count()
      // The store reports its own errors.
      .catch(() => {})
      .finally(() => {
        this.#checking = undefined;
        if (this.#stopped) return;
        this.#cancel = this.deps.clock.after(INTERVAL_MS, () => {
          this.#cancel = undefined;
          if (this.#last) this.#check();
        });
      });
  }

  async #count(): Promise<void> {
    const waiting = await this.deps.store.read.emails.waitingForIndex();
    if (!this.#last && waiting < MANY) return;
    const total = Math.max(this.#last?.total ?? 0, waiting);
    const progress = { indexed: total - waiting, total };
    this.#last = waiting === 0 ? undefined : progress;
    for (const listener of this.#listeners) listener(progress);
  }
}
