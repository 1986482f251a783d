import type { CompiledQuery } from '../search/compile-query.js';
import type { Store } from '../store.js';
import { HeartbeatSignal } from './heartbeat-signal.js';

/**
 * Returns whether an email matches a query. Waits while that depends on content that is not searched yet; the content
 * of every email is searched soon after its acceptance. Returns false for an unknown email, and if the signal fires.
 */
export async function matchesWhenSearched(
  store: Pick<Store, 'read' | 'onCommit'>,
  query: CompiledQuery,
  emailId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const changed = new HeartbeatSignal({ signal, idle: () => () => {} });
  const unsubscribe = store.onCommit(({ emails, replaced }) => {
    if (replaced || emails.includes(emailId)) changed.notify();
  });
  try {
    while (!signal.aborted) {
      const [document] = await store.read.emails.documents([emailId]);
      const result = document ? query.decide(document) : false;
      if (result !== undefined) return result;
      await changed.wait();
    }
    return false;
  } finally {
    unsubscribe();
    changed.close();
  }
}
