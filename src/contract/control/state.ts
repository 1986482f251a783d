import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { integerParameter, Timestamp } from '../fields.js';
import { ADMIN, ADMIN_OR_WORKSPACE } from '../vocabulary/access.js';
import { IMPORT_BYTES_DEFAULT, IMPORT_BYTES_MAX } from '../vocabulary/limits.js';
import { ARCHIVE_TYPE, controlRoutes } from '../vocabulary/routes.js';

/** Defines the control API's endpoints that reset, export and import everything that a local server stores. */

/** The content of an archive's `manifest.json`. */
export const StateManifest = z.object({
  format: z.literal('svc-state'),
  format_version: z.int().min(1).meta({ description: 'Format version of the archive.' }),
  schema_version: z.int().min(1).meta({ description: 'Schema version of the database in the archive.' }),
  svc_version: z.string(),
  exported_at: Timestamp.meta({ description: 'System time of the export, regardless of the service’s clock.' }),
});
export type StateManifest = z.infer<typeof StateManifest>;

/** The result of an import: the archive's manifest, and the webhooks, API keys and damaged rows that came with it. */
export const Imported = StateManifest.extend({
  active_webhooks: z.array(z.string()).meta({ description: 'URLs that receive events from now on.' }),
  api_keys: z.int().min(0).meta({ description: 'API keys that came with the archive. Each is valid on this server.' }),
  admin_keys: z.int().min(0).meta({ description: 'Those of them that are admin keys.' }),
  set_aside: z
    .int()
    .min(0)
    .meta({ description: 'Damaged rows of the archive, kept in the table quarantine. svc doctor lists them.' }),
});
export type Imported = z.infer<typeof Imported>;

/** The version of the archive's format. Only one exists so far. */
export const ARCHIVE_FORMAT_VERSION = 1;

export const stateEndpoints = {
  reset: {
    ...controlRoutes.reset,
    summary: 'Delete all data',
    keyKinds: ADMIN_OR_WORKSPACE,
    audited: [],
    description: 'Keeps API keys, the webhook secret, the clock, the audit log and "webhooks listen" sessions.',
    status: 204,
  },
  export: {
    ...controlRoutes.export,
    summary: 'Export all data as an archive',
    keyKinds: ADMIN,
    audited: [],
    description: 'The archive is a gzipped tar of manifest.json and mail.db.',
    media: ARCHIVE_TYPE,
    status: 200,
    errors: ['forbidden'],
  },
  import: {
    ...controlRoutes.import,
    summary: 'Replace all data with an archive',
    keyKinds: ADMIN,
    audited: ['pause_webhooks'],
    description: 'Keeps the server’s own API key, its webhook secret, its audit log and "webhooks listen" sessions.',
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
    errors: ['bad_request', 'forbidden'],
  },
} as const satisfies Contract;
