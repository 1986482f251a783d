import * as z from 'zod';
import { AnyAddressString } from '../address.js';
import type { Contract } from '../endpoint.js';
import { ChangedWorkspace, PageQuery, Pagination, prefixedId, singleLineText, Timestamp } from '../fields.js';
import { controlRoutes } from '../vocabulary/routes.js';

/** Defines the control API's endpoints for suppressed addresses. */

const suppressionReasons = ['hard_bounce', 'complaint', 'manual'] as const;

export const Suppression = z.object({
  address: z.string(),
  workspace: z
    .string()
    .nullable()
    .meta({ description: 'The workspace whose emails to the address are dropped; null for emails of no workspace.' }),
  reason: z.enum(suppressionReasons),
  email_id: prefixedId('msg').nullable().meta({ description: 'The email that bounced or caused the complaint.' }),
  created_at: Timestamp,
});
export type Suppression = z.infer<typeof Suppression>;

export const suppressionEndpoints = {
  'suppressions.list': {
    ...controlRoutes['suppressions.list'],
    summary: 'List suppressed addresses, newest first',
    description: 'With the key of a workspace, those of the workspace; otherwise all.',
    query: PageQuery.extend({
      search: singleLineText(320, 1)
        .optional()
        .meta({ description: 'Part of the address.', examples: ['@example.test'] }),
    }),
    response: z.object({ suppressions: z.array(Suppression), pagination: Pagination }),
    status: 200,
    errors: ['bad_request'],
  },
  'suppressions.create': {
    ...controlRoutes['suppressions.create'],
    summary: 'Add an address to the suppression list',
    audited: ['address', 'workspace'],
    description: 'Emails of the workspace are dropped. Adding an address again has no effect.',
    body: z.object({ address: AnyAddressString, workspace: ChangedWorkspace }),
    response: Suppression,
    status: 201,
    errors: ['bad_request', 'invalid', 'not_found', 'forbidden'],
  },
  'suppressions.delete': {
    ...controlRoutes['suppressions.delete'],
    summary: 'Remove an address from the suppression list',
    audited: ['workspace'],
    params: z.object({ address: z.string() }),
    query: z.object({ workspace: ChangedWorkspace }),
    status: 204,
    errors: ['bad_request', 'not_found', 'forbidden'],
  },
} as const satisfies Contract;
