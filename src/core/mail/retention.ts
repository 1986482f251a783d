import type { Retention } from '../../contract/vocabulary/retention.js';
import type { CommitSweep } from '../jobs/job-kinds.js';
import { WorkLoop } from '../jobs/work-loop.js';
import type { Clock } from '../ports.js';
import { type Store, StoreUnavailableError } from '../store.js';
import { CHANGED_AT_ONCE, deleteEmails } from './deletion.js';

/** Deletes emails that the server no longer keeps. Ages are on the machine's clock. */

/** Milliseconds from a commit to the deletion of what it made too many. Commits in between share one search. */
const PAUSE_MS = 250;
/** The longest time between two searches for emails that are too old. */
const SEARCH_AGAIN_MS = 60_000;

export interface RetentionDeps {
  store: Store;
  clock: Clock;
  retention: Retention;
  onInternalError(error: unknown): void;
}

/**
 * Deletes the oldest emails in small batches. Emails that are not sent yet, or wait for their delivery or for parsing,
 * are kept until then.
 */
export class RetentionSweep implements CommitSweep {
  readonly #loop: WorkLoop;
  #cancel = () => {};
  /** System time of the next search; infinite if none is planned. */
  #searchAt = Number.POSITIVE_INFINITY;
  #unsubscribe = () => {};

  constructor(private readonly deps: RetentionDeps) {
    this.#loop = new WorkLoop({
      clock: deps.clock,
      step: () => this.#deleteSome(),
      onError(error) {
        // An unavailable store is reported by the callers whose writes failed. The deletion is retried.
        if (!(error instanceof StoreUnavailableError)) deps.onInternalError(error);
      },
      onIdle: () => this.#searchWithin(Math.min(deps.retention.maxAgeMs ?? Number.POSITIVE_INFINITY, SEARCH_AGAIN_MS)),
    });
  }

  start(): void {
    this.#unsubscribe = this.deps.store.onCommit(() => this.#searchWithin(PAUSE_MS));
    this.#loop.kick();
  }

  async drain(): Promise<void> {
    while (await this.#deleteSome());
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#cancel();
    await this.#loop.stop();
  }

  #searchWithin(milliseconds: number): void {
    const { clock } = this.deps;
    const at = clock.systemNow() + milliseconds;
    if (at >= this.#searchAt) return;
    this.#cancel();
    this.#searchAt = at;
    this.#cancel = clock.after(milliseconds, () => {
      this.#searchAt = Number.POSITIVE_INFINITY;
      this.#loop.kick();
    });
  }

  /** Deletes a batch. Returns whether more may be left. */
  async #deleteSome(): Promise<boolean> {
    const { store, clock, retention } = this.deps;
    const { keep, maxAgeMs } = retention;
    // A search does not write: even an empty write would flush the disk.
    const ids = await store.read.emails.expired({
      keep,
      capturedBefore: maxAgeMs === null ? null : clock.systemNow() - maxAgeMs,
      limit: CHANGED_AT_ONCE,
    });
    await deleteEmails(store, ids);
    return ids.length === CHANGED_AT_ONCE;
  }
}
