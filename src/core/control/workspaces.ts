import type { Workspace } from '../../contract/control/workspaces.js';
import { keyPrefixes } from '../../contract/service/api-keys.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { shortened } from '../../contract/vocabulary/helpers/shorten.js';
import { plans } from '../../contract/vocabulary/limits.js';
import { timestamp } from '../context.js';
import { recordEvent } from '../mail/event-log.js';
import type { ApiKeyRecord, WorkspaceRecord } from '../model/resources.js';
import type { Reads } from '../reads.js';
import { hashKey, SECRET_CHARACTERS } from '../resources/api-keys.js';
import { UNLIMITED_SHOWN } from '../resources/rate-limiter.js';
import { emptyWorkspace } from '../workspaces/empty-workspace.js';
import type { ControlContext, ControlHandler } from './context.js';

/** Implements the control API's endpoints for workspaces. */

export const listWorkspaces: ControlHandler<'workspaces.list'> = async (_, { store }) => ({
  workspaces: await Promise.all((await store.read.workspaces.list()).map((record) => present(store.read, record))),
});

export const createWorkspace: ControlHandler<'workspaces.create'> = async ({ body }, context) => {
  const { store, clock, ids, plan, key } = context;
  refuseScoped(key, 'create workspaces');
  const { name, addresses } = body;
  const value = keyPrefixes[key.environment] + ids.secret(SECRET_CHARACTERS);
  const now = clock.now();
  const record: WorkspaceRecord = { name, addresses: [...new Set(addresses)], createdAt: now };
  await store.write(async (tx) => {
    if (await tx.workspaces.find(name)) {
      throw new ServiceError('conflict', `Workspace ${JSON.stringify(name)} already exists.`, undefined, EXISTS_HINT);
    }
    await tx.workspaces.insert(record);
    const { environment } = key;
    const apiKey: ApiKeyRecord = {
      id: ids.next('key', now),
      name: `workspace ${name}`,
      environment,
      rateLimit: plans[plan].requestsPerMinute ?? UNLIMITED_SHOWN,
      hash: hashKey(value),
      workspace: name,
      admin: false,
      createdAt: now,
    };
    await tx.apiKeys.insert(apiKey);
    const created = { api_key_id: apiKey.id, name: apiKey.name, environment, created_at: timestamp(now) };
    await recordEvent(tx, context, 'api_key.created', created);
  });
  return { ...(await present(store.read, record)), api_key: value };
};

export const deleteWorkspace: ControlHandler<'workspaces.delete'> = async ({ params: { name } }, context) => {
  const { store, key, parsePending } = context;
  refuseScoped(key, 'delete workspaces');
  if (!(await store.read.workspaces.find(name))) {
    throw unknownWorkspace(name);
  }
  // Its keys and addresses first, so that no email arrives after the others were deleted.
  await store.write((tx) => revokeAll(tx, context, name));
  await parsePending();
  await emptyWorkspace(store, name);
};

type Write = Parameters<ControlContext['store']['write']>[0];

async function revokeAll(tx: Parameters<Write>[0], context: ControlContext, name: string): Promise<void> {
  const revoked_at = timestamp(context.clock.now());
  await tx.workspaces.delete(name);
  for (const key of (await tx.apiKeys.list()).filter(({ workspace }) => workspace === name)) {
    await tx.apiKeys.delete(key.id);
    await recordEvent(tx, context, 'api_key.revoked', { api_key_id: key.id, name: key.name, revoked_at });
  }
}

const EXISTS_HINT = 'Delete it first, or choose another name.';

export function unknownWorkspace(name: string): ServiceError {
  const hint = 'Run "svc dev workspaces list" to see all workspaces.';
  return new ServiceError('not_found', `Workspace ${JSON.stringify(shortened(name))} not found.`, undefined, hint);
}

/** @throws ServiceError `forbidden` if a key is limited to a workspace. */
export function refuseScoped({ workspace }: Pick<ApiKeyRecord, 'workspace'>, action: string): void {
  if (workspace === null) return;
  const hint = 'Use a key of the server. "svc dev" prints it when it starts.';
  throw new ServiceError('forbidden', `The key of workspace ${workspace} cannot ${action}.`, undefined, hint);
}

async function present(reads: Pick<Reads, 'emails'>, record: WorkspaceRecord): Promise<Workspace> {
  const { name, addresses, createdAt } = record;
  const { total } = await reads.emails.list({ workspace: name }, { limit: 1, offset: 0 });
  return { name, addresses, emails: total, created_at: timestamp(createdAt) };
}
