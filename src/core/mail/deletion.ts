import { ServiceError } from '../../contract/vocabulary/errors.js';
import type { Deletion } from '../model/emails.js';
import { type Store, withStored } from '../store.js';
import type { Transaction } from '../transaction.js';

/**
 * Maximum number of emails that one transaction deletes or changes. It takes a few milliseconds, so that other requests
 * do not wait for all.
 */
export const CHANGED_AT_ONCE = 64;

/** IDs of emails, in batches that may be found one after the other. */
type Batches = Iterable<readonly string[]> | AsyncIterable<readonly string[]>;

/** Deletes emails in short transactions, until the signal aborts. Returns the number of those that existed. */
export async function deleteEmails(store: Store, ids: readonly string[], signal?: AbortSignal): Promise<number> {
  return deleteBatches(store, [ids], signal);
}

/** The same for batches. `deletion` returns its ID and the current time; with it, the deletion can be undone. */
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
