import { ServiceError } from '../../contract/vocabulary/errors.js';
import { DELETION_UNDO_MS } from '../../contract/vocabulary/limits.js';
import { LaterSweep, type LaterSweepDeps } from '../jobs/later-sweep.js';
import type { Deletion } from '../model/emails.js';
import { type Committed, type Store, withStored } from '../store.js';
import type { Transaction } from '../transaction.js';
import { requestDelivery } from './states/send-and-deliver.js';

/**
 * Maximum number of emails that one transaction deletes or changes. It takes a few milliseconds, so that other requests
 * do not wait for all.
 */
export const CHANGED_AT_ONCE = 64;

/** IDs of emails, in batches that may be found one after the other. */
type Batches = Iterable<readonly string[]> | AsyncIterable<readonly string[]>;

/**
 * Deletes emails in short transactions, until the signal aborts. Returns the number of those that existed. `deletion`
 * returns its ID and the current time; with it, the deletion can be undone.
 */
export async function deleteBatches(store: Store, batches: Batches, signal?: AbortSignal, deletion?: () => Deletion) {
  return changeInBatches({ store, signal, verb: 'deleted' }, batches, (tx, some) =>
    tx.emails.delete(some, deletion?.()),
  );
}

interface Change {
  store: Store;
  signal: AbortSignal | undefined;
  /** What happens to the emails, for errors. */
  verb: 'deleted' | 'changed';
}

/**
 * Changes emails in short transactions, until the signal aborts. Returns the sum of what `change` returned.
 * @throws StoreUnavailableError or ServiceError with the number of emails that were changed before.
 */
export async function changeInBatches(
  { store, signal, verb }: Change,
  batches: Batches,
  change: (tx: Transaction, some: readonly string[]) => Promise<number>,
): Promise<number> {
  let changed = 0;
  try {
    for await (const ids of batches) {
      for (let at = 0; at < ids.length && !signal?.aborted; at += CHANGED_AT_ONCE) {
        const some = ids.slice(at, at + CHANGED_AT_ONCE);
        changed += await store.write((tx) => change(tx, some));
      }
    }
  } catch (error) {
    if (changed === 0) throw error;
    const stored = `The request was stored in part: ${changed} ${changed === 1 ? 'email was' : 'emails were'} ${verb}.`;
    if (!(error instanceof ServiceError)) throw withStored(error, stored);
    throw new ServiceError(error.failure, `${error.message} ${stored}`, error.details, error.hint);
  }
  return changed;
}

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

/**
 * Deletes emails permanently once their deletion can no longer be undone. After a start, all deletions can be undone for
 * the whole time again: their clients may have waited for the server.
 */
export class PurgeSweep extends LaterSweep<LaterSweepDeps> {
  readonly #startedAt = this.deps.clock.systemNow();

  protected onCommit({ deleted }: Committed): void {
    if (deleted) this.lookNow();
  }

  /** Deletes the next emails permanently. Returns whether more are due. Otherwise it continues when the next ones are. */
  protected async doSome(): Promise<boolean> {
    const { store, clock } = this.deps;
    const [next] = await store.read.emails.deletions();
    if (!next) return false;
    const wait = Math.max(next.at, this.#startedAt) + DELETION_UNDO_MS - clock.systemNow();
    if (wait > 0) {
      this.lookWithin(Math.min(wait, DELETION_UNDO_MS));
      return false;
    }
    await store.write((tx) => tx.emails.purge(next));
    return true;
  }
}
