import { z } from 'zod';
import type { Contract } from './endpoint.js';
import { integerParameter, Timestamp } from './fields.js';
import { IMPORT_BYTES_DEFAULT, IMPORT_BYTES_MAX } from './limits.js';
import { ARCHIVE_TYPE, controlRoutes } from './routes.js';

/** What a local server holds as a whole, in its own API. */

/** What `manifest.json` of an archive says. */
export const StateManifest = z.object({
  format: z.literal('svc-state'),
  format_version: z.int().min(1).meta({ description: 'Of the archive: which members it has, and what they mean.' }),
  schema_version: z.int().min(1).meta({ description: 'Of the database in it.' }),
  svc_version: z.string(),
  exported_at: Timestamp.meta({ description: 'On the machine’s clock, whatever the service’s says.' }),
});
export type StateManifest = z.infer<typeof StateManifest>;

/** What an import answers: the manifest, and what the server goes on with. */
export const Imported = StateManifest.extend({
  active_webhooks: z.array(z.string()).meta({ description: 'URLs that receive events from now on.' }),
  api_keys: z.int().min(0).meta({ description: 'API keys that came with the archive. Each is valid on this server.' }),
  set_aside: z
    .int()
    .min(0)
    .meta({ description: 'Damaged rows of the archive, kept in the table quarantine. svc doctor lists them.' }),
});
export type Imported = z.infer<typeof Imported>;

/** The only form of archive so far. */
export const ARCHIVE_FORMAT_VERSION = 1;

export const stateEndpoints = {
  reset: {
    ...controlRoutes.reset,
    summary: 'Empty the server: all but its API keys, its webhook secret, its time, and the subscriptions being read',
    status: 204,
  },
  export: {
    ...controlRoutes.export,
    summary: 'Everything the server holds, as one archive: a gzipped tar of manifest.json and mail.db',
    media: ARCHIVE_TYPE,
    status: 200,
  },
  import: {
    ...controlRoutes.import,
    summary:
      'Put what an archive holds in the place of everything: all but the server’s own key, its webhook secret and the ' +
      'subscriptions being read',
    query: z.object({
      max_bytes: integerParameter(1, IMPORT_BYTES_MAX)
        .default(IMPORT_BYTES_DEFAULT)
        .meta({ description: 'Largest size of the unpacked archive, in bytes.' }),
      pause_webhooks: z
        .enum(['true', 'false'])
        .transform((value) => value === 'true')
        .default(false)
        .meta({ description: 'Deactivates the webhooks of the archive.', override: { type: 'boolean' } }),
    }),
    response: Imported,
    status: 200,
    errors: ['bad_request'],
  },
} as const satisfies Contract;
