import { type Core, timestamp } from '../context.js';
import { LaterSweep, type LaterSweepDeps } from '../jobs/later-sweep.js';
import { deleteBatches } from '../mail/deletion.js';
import { recordEvent } from '../mail/event-log.js';
import type { WorkspaceRecord } from '../model/resources.js';
import type { Reads } from '../reads.js';
import { compileQuery } from '../search/compile-query.js';
import type { Committed, Store } from '../store.js';

/** Deletes workspaces with all that belongs to them: when someone asks for it, and when they expire. */

/** Number of emails to read at once. */
const BATCH = 1_000;

/**
 * Maximum milliseconds between two looks for expired workspaces. A timer of weeks would overflow, and the machine's time
 * may be corrected.
 */
const LOOK_AGAIN_MS = 10 * 60_000;

/**
 * Deletes what belongs to a workspace. Messages that are not parsed yet, API keys and running listeners stay.
 * @param isOver Returns whether nothing more may be deleted (default: never)
 */
export async function emptyWorkspace(
  store: Store,
  workspace: string,
  isOver: (reads: Pick<Reads, 'workspaces'>) => Promise<boolean> = async () => false,
): Promise<void> {
  await deleteBatches(store, emailsOf(store, workspace, isOver));
  await store.write(async (tx) => {
    if (await isOver(tx)) return;
    // A running `webhooks listen` keeps its subscription.
    const own = (await tx.webhooks.list()).filter((each) => each.workspace === workspace && !each.ephemeral);
    for (const { id } of own) await tx.webhooks.delete(id);
    await tx.suppressions.clear(workspace);
    await tx.rules.clear(workspace);
    await tx.faults.clear(workspace);
  });
}

/** Yields the IDs of the emails that are left. The caller deletes each batch before the next. */
async function* emailsOf(
  store: Store,
  workspace: string,
  isOver: (reads: Pick<Reads, 'workspaces'>) => Promise<boolean>,
): AsyncGenerator<string[]> {
  const every = await compileQuery({ kind: 'and', terms: [] }, { now: 0 });
  for (;;) {
    const { emails } = await store.read.emails.search(every, { limit: BATCH, workspace });
    if (emails.length === 0 || (await isOver(store.read))) return;
    yield emails.map(({ id }) => id);
  }
}

export type EndingDeps = Pick<Core, 'store' | 'clock' | 'ids' | 'parsePending'>;

/** Deletes a workspace. If the server stops in between, `ExpirySweep` continues, or another call does. */
export async function deleteWorkspace(deps: EndingDeps, name: string): Promise<void> {
  // Its keys and addresses first, so that no email arrives after the others were deleted.
  await end(deps, name, () => true);
  await finish(deps, name);
}

/** Revokes the keys of a workspace and hides it, if it is still the one to delete. */
async function end(
  { store, clock, ids }: EndingDeps,
  name: string,
  isMeant: (found: WorkspaceRecord) => boolean,
): Promise<void> {
  await store.write(async (tx) => {
    const found = await tx.workspaces.find(name);
    if (!found || !isMeant(found)) return;
    const revoked_at = timestamp(clock.now());
    await tx.workspaces.end(name);
    for (const key of (await tx.apiKeys.list()).filter(({ workspace }) => workspace === name)) {
      await tx.apiKeys.delete(key.id);
      await recordEvent(tx, { clock, ids }, 'api_key.revoked', { api_key_id: key.id, name: key.name, revoked_at });
    }
  });
}

/**
 * Deletes a hidden workspace with what belongs to it. Another call or server may do the same at once: after it has
 * ended, the name may belong to a new workspace.
 */
async function finish({ store, parsePending }: EndingDeps, name: string): Promise<void> {
  const isOver = async ({ workspaces }: Pick<Reads, 'workspaces'>) => !(await workspaces.ended()).includes(name);
  await parsePending();
  await emptyWorkspace(store, name, isOver);
  await store.write((tx) => tx.workspaces.deleteEnded(name));
}

/** Deletes workspaces when they expire, on the machine's clock, and at a start those whose deletion was interrupted. */
export class ExpirySweep extends LaterSweep<EndingDeps & LaterSweepDeps> {
  protected onCommit({ appended, replaced }: Committed): void {
    // A new workspace has a key.
    if (replaced || appended.some(({ type }) => type === 'api_key.created')) this.lookNow();
  }

  /** Deletes the next workspace that has expired. Returns whether there was one. Otherwise it continues in time. */
  protected async doSome(): Promise<boolean> {
    const { store, clock } = this.deps;
    const { workspaces } = store.read;
    const [ended] = await workspaces.ended();
    if (ended !== undefined) {
      await finish(this.deps, ended);
      return true;
    }
    const expiring = (await workspaces.list()).flatMap(({ name, expiresAt }) =>
      expiresAt === null ? [] : [{ name, expiresAt }],
    );
    const next = expiring.sort((one, other) => one.expiresAt - other.expiresAt)[0];
    const wait = (next?.expiresAt ?? Number.POSITIVE_INFINITY) - clock.systemNow();
    if (next && wait <= 0) {
      await end(this.deps, next.name, ({ expiresAt }) => expiresAt === next.expiresAt);
      return true;
    }
    // Also without one that expires: another server may stop while it deletes a workspace.
    this.lookWithin(Math.min(wait, LOOK_AGAIN_MS));
    return false;
  }
}
