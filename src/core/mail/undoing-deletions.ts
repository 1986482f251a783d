import { DELETION_UNDO_MS } from '../../contract/vocabulary/limits.js';
import type { CommitSweep } from '../jobs/job-kinds.js';
import { WorkLoop } from '../jobs/work-loop.js';
import type { Deletion } from '../model/emails.js';
import type { Clock } from '../ports.js';
import { type Store, StoreUnavailableError } from '../store.js';
import { requestDelivery } from './delivery-delay.js';

/** Undoes deletions for a while, and then deletes their emails permanently. Times are on the machine's clock. */

/** Restores the emails of a deletion, in short transactions. Returns their number. */
export async function undoDeletion(store: Store, deletion: Deletion): Promise<number> {
  let restored = 0;
  for (;;) {
    const batch = await store.write(async (tx) => {
      const { count, jobs } = await tx.emails.restore(deletion);
      for (const job of jobs) await tx.jobs.add(job);
      // The sweep of deliveries did not see them.
      const dueAt = count > 0 ? await tx.emails.nextDue() : null;
      if (dueAt !== null) await requestDelivery(tx, dueAt);
      return count;
    });
    if (batch === 0) return restored;
    restored += batch;
  }
}

export interface PurgeDeps {
  store: Store;
  clock: Pick<Clock, 'systemNow' | 'after'>;
  onInternalError(error: unknown): void;
}

/**
 * Deletes emails permanently once their deletion can no longer be undone. After a start, all deletions can be undone for
 * the whole time again: their clients may have waited for the server.
 */
export class PurgeSweep implements CommitSweep {
  readonly #loop: WorkLoop;
  readonly #startedAt: number;
  #cancel = () => {};
  #unsubscribe = () => {};

  constructor(private readonly deps: PurgeDeps) {
    this.#startedAt = deps.clock.systemNow();
    this.#loop = new WorkLoop({
      clock: deps.clock,
      step: () => this.#purgeDue(),
      onError(error) {
        // An unavailable store is reported by the callers whose writes failed. The deletion is retried.
        if (!(error instanceof StoreUnavailableError)) deps.onInternalError(error);
      },
    });
  }

  start(): void {
    this.#unsubscribe = this.deps.store.onCommit(({ deleted }) => deleted && this.#loop.kick());
    this.#loop.kick();
  }

  async drain(): Promise<void> {
    while (await this.#purgeDue());
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#cancel();
    await this.#loop.stop();
  }

  /** Deletes the next emails permanently. Returns whether more are due. Otherwise it continues when the next ones are. */
  async #purgeDue(): Promise<boolean> {
    const { store, clock } = this.deps;
    const [next] = await store.read.emails.deletions();
    this.#cancel();
    if (!next) return false;
    const wait = Math.max(next.at, this.#startedAt) + DELETION_UNDO_MS - clock.systemNow();
    if (wait > 0) {
      this.#cancel = clock.after(Math.min(wait, DELETION_UNDO_MS), () => this.#loop.kick());
      return false;
    }
    await store.write((tx) => tx.emails.purge(next));
    return true;
  }
}
