import type { Suppression } from '../../../contract/control/suppressions.js';
import { normalizeAddress, parseAddress } from '../../../contract/vocabulary/addresses.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { timestamp } from '../../context.js';
import type { SuppressionRecord } from '../../model/resources.js';
import { paginate } from '../../reads.js';
import type { ControlHandler, ControlHandlers } from './context.js';
import { changedWorkspace } from './workspaces.js';

/** Implements the control API's endpoints for suppressed addresses. */

const listSuppressions: ControlHandler<'suppressions.list'> = async ({ query }, { store }) => {
  const { items, total } = await store.read.suppressions.list({
    ...query,
    search: query.search && partOf(query.search),
  });
  return { suppressions: items.map(present), pagination: paginate(query, total) };
};

/** Returns a part of an address in the form of normalized ones. Without an `@`, it may be a part of the mailbox's name. */
function partOf(search: string): string {
  return search.includes('@') ? normalizeAddress(search) : search.toLowerCase().normalize('NFC');
}

const createSuppression: ControlHandler<'suppressions.create'> = async ({ body }, context) => {
  const { store, clock } = context;
  const workspace = await changedWorkspace(context, body.workspace);
  const mailbox = normalizeAddress(parseAddress(body.address).address);
  const wanted: SuppressionRecord = { mailbox, reason: 'manual', emailId: null, workspace, createdAt: clock.now() };
  return store.write(async (tx) => {
    await tx.suppressions.insert(wanted);
    return present((await tx.suppressions.find(mailbox, workspace)) ?? wanted);
  });
};

const deleteSuppression: ControlHandler<'suppressions.delete'> = async ({ params, query }, context) => {
  const mailbox = normalizeAddress(params.address);
  const workspace = await changedWorkspace(context, query.workspace);
  if (await context.store.write((tx) => tx.suppressions.delete(mailbox, workspace))) return;
  throw new ServiceError('not_found', `${JSON.stringify(params.address)} is not suppressed.`, undefined, LIST_HINT);
};

const LIST_HINT =
  'Run "svc suppressions list" to see all suppressed addresses. With --workspace, an admin key removes one of a workspace.';

function present(record: SuppressionRecord): Suppression {
  return { address: record.mailbox, workspace: record.workspace, ...describeSuppression(record) };
}

/** Returns why and since when an address is suppressed. */
export function describeSuppression({
  reason,
  emailId,
  createdAt,
}: SuppressionRecord): Omit<Suppression, 'address' | 'workspace'> {
  return { reason, email_id: emailId, created_at: timestamp(createdAt) };
}

export const suppressionHandlers = {
  'suppressions.list': listSuppressions,
  'suppressions.create': createSuppression,
  'suppressions.delete': deleteSuppression,
} satisfies Partial<ControlHandlers>;
