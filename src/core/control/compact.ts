import { ServiceError } from '../../contract/vocabulary/errors.js';
import { StoreUnavailableError, UnsupportedStoreError } from '../store.js';
import type { ControlHandler } from './context.js';
import { refuseScoped } from './workspaces.js';

/** Implements the control API's endpoint that makes the database smaller. */

export const compact: ControlHandler<'compact'> = async ({ body: { full, max_bytes } }, { store, key }) => {
  refuseScoped(key, 'compact the database');
  const before = await store.size();
  await store.compact({ full, maxBytes: max_bytes ?? before.bytes }).catch(explain);
  const { bytes, free } = await store.size();
  return { size_before: before.bytes, size: bytes, free };
};

const FULL_HINT = 'Pass full to rewrite it. All other requests wait meanwhile.';
const SPACE_HINT =
  'Nothing was lost. Free some disk space and try again. A full rewrite needs twice the size of the database, partly in ' +
  'the directory for temporary files.';

/** Throws the error. One that the caller can fix becomes a response with a hint. */
function explain(error: unknown): never {
  if (error instanceof UnsupportedStoreError) throw new ServiceError('conflict', error.message, undefined, FULL_HINT);
  if (error instanceof StoreUnavailableError) {
    const hint = error.lastResort === undefined ? error.advice : SPACE_HINT;
    throw new ServiceError('internal', `${error.message}.`, undefined, hint);
  }
  throw error;
}
