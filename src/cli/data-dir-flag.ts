import { Flags } from '@oclif/core';

/** For commands about the local server of a data directory. */
export const dataDirFlag = {
  'data-dir': Flags.string({
    description: 'Data directory (default: SVC_DATA_DIR, the nearest .svc/, or the user’s data directory).',
    helpValue: 'DIR',
  }),
};
