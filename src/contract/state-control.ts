import { z } from 'zod';
import type { Contract } from './endpoint.js';
import { Timestamp } from './fields.js';
import { ARCHIVE_TYPE, controlRoutes } from './routes.js';

/** What a local server holds as a whole, in its own API. */

/** What `manifest.json` of an archive says. */
export const StateManifest = z.object({
  format: z.literal('svc-state'),
  format_version: z.int().min(1).meta({ description: 'Format version of the archive.' }),
  schema_version: z.int().min(1).meta({ description: 'Schema version of the database in the archive.' }),
  svc_version: z.string(),
  exported_at: Timestamp.meta({ description: 'System time of the export, regardless of the service’s clock.' }),
});
export type StateManifest = z.infer<typeof StateManifest>;

/** The only form of archive so far. */
export const ARCHIVE_FORMAT_VERSION = 1;

export const stateEndpoints = {
  reset: {
    ...controlRoutes.reset,
    summary: 'Delete all data',
    description: 'Keeps API keys, the webhook secret, the clock and "webhooks listen" sessions.',
    status: 204,
  },
  export: {
    ...controlRoutes.export,
    summary: 'Export all data as an archive',
    description: 'The archive is a gzipped tar of manifest.json and mail.db.',
    media: ARCHIVE_TYPE,
    status: 200,
  },
  import: {
    ...controlRoutes.import,
    summary: 'Replace all data with an archive',
    description: 'Keeps the server’s own API key, its webhook secret and "webhooks listen" sessions.',
    response: StateManifest,
    status: 200,
    errors: ['bad_request'],
  },
} as const satisfies Contract;
