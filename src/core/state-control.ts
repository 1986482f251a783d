import { ServiceError } from '../contract/errors.js';
import { ARCHIVE_FORMAT_VERSION, type StateManifest } from '../contract/state-control.js';
import { timestamp } from './context.js';
import type { ControlHandler } from './control-handlers.js';
import { UnusableStateError } from './store.js';

/** What a local server holds as a whole, in its own API. */

export const resetServer: ControlHandler<'reset'> = async (_, { store, settled, requestLog }) => {
  // What has been acknowledged goes too: a message that is still to be parsed, a request that is still to be logged.
  await Promise.all([settled(), requestLog.flush()]);
  await store.write((tx) => tx.reset());
};

export const exportState: ControlHandler<'export'> = async (_, context) => {
  const { store, clock, archive, describe, settled, requestLog, signal } = context;
  await Promise.all([settled(), requestLog.flush()]);
  const snapshot = await store.snapshot().catch(refuse);
  const discard = () => void snapshot.discard();
  // The caller may go before the first byte was asked for.
  if (signal.aborted) discard();
  else signal.addEventListener('abort', discard, { once: true });
  const exportedAt = timestamp(clock.systemNow());
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
  return { body: body(), filename: `svc-state-${exportedAt.slice(0, 19).replace(/[^0-9]/g, '')}.tar.gz` };
};

export const importState: ControlHandler<'import'> = async ({ body }, context) => {
  const { store, archive, time, settled, requestLog, admitOwnKey } = context;
  const { manifest, database } = await archive.unpack(body).catch(refuse);
  const staged = await store.stage(database).catch(refuse);
  try {
    // What was acknowledged before belongs to what is replaced.
    await Promise.all([settled(), requestLog.flush()]);
    await time.whileReplacing((takeOver) =>
      store.write(async (tx) => {
        await tx.replace(staged);
        await takeOver(tx);
        await admitOwnKey(tx);
      }),
    );
  } catch (error) {
    refuse(error);
  } finally {
    await staged.discard();
  }
  return manifest;
};

const REFUSED_HINT = 'Nothing was changed. svc dev export makes an archive that can be imported.';

/** Says in the answer what the caller can do something about. */
function refuse(error: unknown): never {
  if (error instanceof UnusableStateError)
    throw new ServiceError('bad_request', error.message, undefined, REFUSED_HINT);
  throw error;
}
