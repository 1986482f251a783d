import type { ControlHandler } from './control-handlers.js';

/** What a local server holds as a whole, in its own API. */

export const resetServer: ControlHandler<'reset'> = async (_, { store, settled, requestLog }) => {
  // What has been acknowledged goes too: a message that is still to be parsed, a request that is still to be logged.
  await Promise.all([settled(), requestLog.flush()]);
  await store.write((tx) => tx.reset());
};
