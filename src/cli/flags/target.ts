import { Flags, type Interfaces } from '@oclif/core';
import { trustDataDirFlag } from './data-dir.js';

export const DEFAULT_TIMEOUT_SECONDS = 30;
/** The default number of retries of a call that may be repeated. */
export const DEFAULT_RETRIES = 3;

/** Declares the flags that choose the server, and how it is called. */
export const targetFlags = {
  profile: Flags.string({
    description: 'Profile to use (default: SVC_PROFILE, or the current profile).',
    helpValue: 'NAME',
    helpGroup: 'GLOBAL',
  }),
  'base-url': Flags.string({
    description:
      'Address of the service, ending in /v1 (default: SVC_BASE_URL, the profile’s address, or the local server).',
    helpValue: 'URL',
    helpGroup: 'GLOBAL',
  }),
  'api-key': Flags.string({
    description: 'API key (default: SVC_API_KEY, the profile’s key, or the local server’s key).',
    helpValue: 'KEY',
    helpGroup: 'GLOBAL',
  }),
  'data-dir': Flags.string({
    description:
      'Data directory of the local server (default: SVC_DATA_DIR, the nearest .svc/, or the user’s data directory).',
    helpValue: 'DIR',
    helpGroup: 'GLOBAL',
  }),
  'trust-data-dir': { ...trustDataDirFlag['trust-data-dir'], helpGroup: 'GLOBAL' },
  timeout: Flags.integer({
    description:
      'Time limit for each request, in seconds. A write that was sent and not answered in time may have been carried ' +
      'out: the command reports that, and exits with 1.',
    min: 1,
    max: 3_600,
    default: DEFAULT_TIMEOUT_SECONDS,
    helpValue: 'SECONDS',
    helpGroup: 'GLOBAL',
  }),
  retries: Flags.integer({
    description:
      'Number of retries for reads and deletes after 429, 5xx, a connection error or a time-out, and for other writes ' +
      'only after 429, or 503 with Retry-After, which mean that nothing was done. A 429 without a time is retried for a minute ' +
      `(default: ${DEFAULT_RETRIES}; without --retries or --retry, a server on this machine that is down is reported at once).`,
    min: 0,
    max: 10,
    helpValue: 'COUNT',
    helpGroup: 'GLOBAL',
  }),
  'max-time': Flags.integer({
    description: 'Time limit for the whole command from its first request on, in seconds. Prompts count.',
    min: 1,
    max: 86_400,
    helpValue: 'SECONDS',
    helpGroup: 'GLOBAL',
  }),
};

/** Values of the flags, each optional. `retry` allows to repeat a send. */
export type TargetFlags = Partial<Interfaces.InferredFlags<typeof targetFlags>> & { retry?: boolean | undefined };
