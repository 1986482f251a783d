import { Flags, type Interfaces } from '@oclif/core';

/** Declares that the data directory is trusted, regardless of its owner and modes. */
export const trustDataDirFlag = {
  'trust-data-dir': Flags.boolean({
    description:
      'Use a .svc/ that was found even if svc did not create it, and a data directory of another user or that others ' +
      'can write to. Default: SVC_TRUST_DATA_DIR=1.',
  }),
};

/** Declares the flags of commands that use a local server's data directory. */
export const dataDirFlag = {
  'data-dir': Flags.string({
    description: 'Data directory (default: SVC_DATA_DIR, the nearest .svc/, or the user’s data directory).',
    helpValue: 'DIR',
  }),
  ...trustDataDirFlag,
};

/** Values of the flags, each optional. */
export type DataDirFlags = Partial<Interfaces.InferredFlags<typeof dataDirFlag>>;
