import type { Core } from '../context.js';

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
