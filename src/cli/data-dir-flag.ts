import { Flags } from '@oclif/core';

/** For commands about the local server of a data directory. */
export const dataDirFlag = {
  'data-dir': Flags.string({
    description: 'Data directory. Default: SVC_DATA_DIR, else the nearest .svc/, else the user’s own.',
    helpValue: 'DIR',
  }),
};
