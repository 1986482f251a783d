import type { Core } from '../context.js';
import type { CompiledQuery } from '../search/compile-query.js';

/** Maximum number of times that the content of an email is searched. Each has a time limit. */
const TRIES = 5;

/**
 * Returns whether an email matches a query. Has its content searched first if the result depends on it. Returns false
 * for an unknown email, if the content cannot be searched now, and if the signal fires.
 */
export async function matchesWhenSearched(
  { store, extractPending }: Pick<Core, 'store' | 'extractPending'>,
  query: CompiledQuery,
  emailId: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (let tries = 0; !signal.aborted; tries++) {
    const [document] = await store.read.emails.documents([emailId]);
    const result = document ? query.decide(document) : false;
    if (result !== undefined) return result;
    if (tries === TRIES) break;
    await extractPending(query.needs, [emailId]);
  }
  return false;
}
