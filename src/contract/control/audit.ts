import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { PageQuery, Pagination, prefixedId, Timestamp } from '../fields.js';
import { ADMIN } from '../vocabulary/api-keys.js';
import { actorKinds, SIGN_IN } from '../vocabulary/audit.js';
import { controlRoutes } from '../vocabulary/routes.js';

/** Defines the control API's endpoint for the audit log. */

export const AuditEntry = z.object({
  seq: z.int(),
  created_at: Timestamp.meta({ description: 'System time, regardless of the service’s clock.' }),
  actor: z.object({
    kind: z.enum(actorKinds).meta({
      description:
        '`person`: whom a proxy has signed in. `key`: an API key. `password`: the inbox password. `local`: the server’s own process.',
    }),
    name: z.string().nullable().meta({ description: 'The person, or the name of the key.' }),
    key_id: prefixedId('key').nullable(),
    owner: z.string().nullable().meta({ description: 'The owner of the key.' }),
  }),
  action: z
    .string()
    .meta({ description: `The operation, as in the API reference, or \`${SIGN_IN}\`.`, examples: ['api-keys.revoke'] }),
  target: z.string().nullable().meta({ description: 'ID or name of what was changed; null if it has none.' }),
  details: z.record(z.string(), z.string()).meta({ description: 'Some fields of the request, shortened.' }),
  workspace: z.string().nullable().meta({ description: 'The workspace that the call was limited to.' }),
  client: z.string().nullable().meta({ description: 'Address of the client; null for the server’s own process.' }),
  request_id: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const auditEndpoints = {
  'audit.list': {
    ...controlRoutes['audit.list'],
    summary: 'List the audit log, newest first',
    description: 'Who changed what, and from where. A reset and an import keep it.',
    keyKinds: ADMIN,
    query: PageQuery,
    response: z.object({ entries: z.array(AuditEntry), pagination: Pagination }),
    status: 200,
    errors: ['bad_request', 'forbidden'],
  },
} as const satisfies Contract;
