import { deleteBatches } from '../mail/deletion.js';
import { compileQuery } from '../search/compile-query.js';
import type { Store } from '../store.js';

/** Number of emails to read at once. */
const BATCH = 1_000;

/**
 * Deletes what belongs to a workspace: emails, webhooks, suppressions, rules and faults. Messages that are not parsed yet
 * stay.
 */
export async function emptyWorkspace(store: Store, workspace: string): Promise<void> {
  await deleteBatches(store, emailsOf(store, workspace));
  await store.write(async (tx) => {
    // A running `webhooks listen` keeps its subscription.
    const own = (await tx.webhooks.list()).filter((each) => each.workspace === workspace && !each.ephemeral);
    for (const { id } of own) await tx.webhooks.delete(id);
    await tx.suppressions.clear(workspace);
    await tx.rules.clear(workspace);
    await tx.faults.clear(workspace);
  });
}

/** Yields the IDs of the emails that are left. The caller deletes each batch before the next. */
async function* emailsOf(store: Store, workspace: string): AsyncGenerator<string[]> {
  const every = await compileQuery({ kind: 'and', terms: [] }, { now: 0 });
  for (;;) {
    const { emails } = await store.read.emails.search(every, { limit: BATCH, workspace });
    if (emails.length === 0) return;
    yield emails.map(({ id }) => id);
  }
}
