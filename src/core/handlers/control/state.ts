import { ARCHIVE_FORMAT_VERSION, type Imported, type StateManifest } from '../../../contract/control/state.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { timestamp } from '../../context.js';
import { deliverPending } from '../../mail/states/send-and-deliver.js';
import { StateTooLargeError, StoreUnavailableError, UnusableStateError } from '../../store.js';
import type { Transaction } from '../../transaction.js';
import { emptyWorkspace } from '../../workspaces/ending.js';
import type { ControlHandler, ControlHandlers } from './context.js';
import { refuseScoped } from './workspaces.js';

/** Implements the control API's endpoints that reset, export and import everything that a local server stores. */

export const resetServer: ControlHandler<'reset', 'ensureServerState' | 'requestLog' | 'smtpSessions'> = async (
  _,
  context,
) => {
  const { store, parsePending, requestLog, smtpSessions, ensureServerState, key } = context;
  if (key.workspace !== null) {
    await parsePending();
    return emptyWorkspace(store, key.workspace);
  }
  // Waits for messages that were accepted and are not parsed.
  await parsePending();
  const empty = () =>
    store.write(async (tx) => {
      await tx.reset();
      await ensureServerState(tx);
    });
  // What the logs have not written yet is older than the reset, too.
  await requestLog
    .whileEmptied(() => smtpSessions.whileEmptied(empty))
    .catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) throw error;
      const advice = error.lastResort === undefined ? error.advice : 'Free some disk space and try again.';
      const hint = [advice, error.lastResort].filter(Boolean).join(' ');
      throw new ServiceError('internal', `${error.message}. Nothing was deleted.`, undefined, hint);
    });
};

const exportState: ControlHandler<'export', 'archive' | 'describe' | 'requestLog' | 'smtpSessions'> = async (
  _,
  context,
) => {
  refuseScoped(context.key, 'export all data');
  const { store, clock, archive, describe, parsePending, requestLog, smtpSessions, signal } = context;
  const exportedAt = timestamp(clock.systemNow());
  const filename = `svc-state-${exportedAt.slice(0, 19).replace(/[^0-9]/g, '')}.tar.gz`;
  // A snapshot copies the database.
  if (context.isHead) return { body: new Blob([]).stream(), filename };
  await Promise.all([parsePending(), requestLog.flush(), smtpSessions.flush()]);
  await deliverPending(context);
  const snapshot = await store.snapshot().catch(refuse);
  const discard = () => void snapshot.discard();
  // The client may disconnect before the first byte is read.
  if (signal.aborted) discard();
  else signal.addEventListener('abort', discard, { once: true });
  const manifest: StateManifest = {
    format: 'svc-state',
    format_version: ARCHIVE_FORMAT_VERSION,
    schema_version: snapshot.schemaVersion,
    svc_version: describe().version,
    exported_at: exportedAt,
  };
  async function* body() {
    try {
      yield* archive.pack(manifest, snapshot);
    } finally {
      await snapshot.discard();
    }
  }
  return { body: body(), filename };
};

/** Replaces everything with an archive. Changes nothing if that fails. */
const importState: ControlHandler<
  'import',
  'archive' | 'clockController' | 'ensureServerState' | 'importBytesMax' | 'requestLog' | 'smtpSessions'
> = async ({ body, query }, context) => {
  refuseScoped(context.key, 'replace all data');
  const {
    store,
    archive,
    clockController,
    parsePending,
    requestLog,
    smtpSessions,
    ensureServerState,
    importBytesMax,
    signal,
  } = context;
  const { manifest, database } = await archive.unpack(body, Math.min(query.max_bytes, importBytesMax)).catch(refuse);
  const staged = await store.stage(database).catch(refuse);
  let held: Held = { active_webhooks: [], api_keys: 0, admin_keys: 0 };
  try {
    signal.throwIfAborted();
    // Waits for accepted messages too, because they are also replaced.
    await Promise.all([parsePending(), requestLog.flush(), smtpSessions.flush()]);
    await clockController.whileReplacing((adoptClock) =>
      store.write(async (tx) => {
        await tx.replace(staged);
        await adoptClock(tx);
        if (query.pause_webhooks) await pauseWebhooks(tx);
        held = await heldBy(tx);
        await ensureServerState(tx);
      }),
    );
  } catch (error) {
    refuse(error);
  } finally {
    await staged.discard();
  }
  return { ...manifest, ...held, set_aside: staged.setAside };
};

async function pauseWebhooks(tx: Transaction): Promise<void> {
  for (const webhook of await tx.webhooks.list()) {
    if (!webhook.ephemeral) await tx.webhooks.update({ ...webhook, active: false });
  }
}

type Held = Pick<Imported, 'active_webhooks' | 'api_keys' | 'admin_keys'>;

/** Returns the webhook URLs and the numbers of API keys after an import, because the caller should check them. */
async function heldBy(tx: Transaction): Promise<Held> {
  const webhooks = (await tx.webhooks.list()).filter(({ active, ephemeral }) => active && !ephemeral);
  const keys = await tx.apiKeys.list();
  return {
    active_webhooks: webhooks.map(({ url }) => url),
    api_keys: keys.length,
    admin_keys: keys.filter(({ admin }) => admin).length,
  };
}

const TOO_LARGE_HINT = 'Nothing was changed. Raise the limit with max_bytes.';
const REFUSED_HINT = 'Nothing was changed. svc dev export makes an archive that can be imported.';

/** Throws the error. One that the caller can fix becomes a response with a hint. */
function refuse(error: unknown): never {
  if (error instanceof StateTooLargeError)
    throw new ServiceError('bad_request', error.message, undefined, TOO_LARGE_HINT);
  if (error instanceof UnusableStateError)
    throw new ServiceError('bad_request', error.message, undefined, REFUSED_HINT);
  throw error;
}

export const stateHandlers = {
  reset: resetServer,
  export: exportState,
  import: importState,
} satisfies Partial<ControlHandlers>;
