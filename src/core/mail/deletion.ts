import type { Store } from '../store.js';
import type { Transaction } from '../transaction.js';

/**
 * Maximum number of emails that one transaction deletes or changes. It takes a few milliseconds, so that other requests
 * do not wait for all.
 */
export const CHANGED_AT_ONCE = 64;

/** Deletes emails in short transactions, until the signal aborts. Returns the number of those that existed. */
export async function deleteEmails(store: Store, ids: readonly string[], signal?: AbortSignal): Promise<number> {
  return changeInBatches(store, ids, signal, (tx, some) => tx.emails.delete(some));
}

/** Changes emails in short transactions, until the signal aborts. Returns the sum of what `change` returned. */
export async function changeInBatches(
  store: Store,
  ids: readonly string[],
  signal: AbortSignal | undefined,
  change: (tx: Transaction, some: readonly string[]) => Promise<number>,
): Promise<number> {
  let changed = 0;
  for (let at = 0; at < ids.length && !signal?.aborted; at += CHANGED_AT_ONCE) {
    const some = ids.slice(at, at + CHANGED_AT_ONCE);
    changed += await store.write((tx) => change(tx, some));
  }
  return changed;
}
