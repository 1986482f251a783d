import type { Workspace } from '../../../contract/control/workspaces.js';
import { keyPrefixes } from '../../../contract/service/api-keys.js';
import { formatDuration } from '../../../contract/vocabulary/durations.js';
import { invalidField, ServiceError } from '../../../contract/vocabulary/errors.js';
import { CREATOR_TTL_MAX_MS, plans } from '../../../contract/vocabulary/limits.js';
import { shortened } from '../../../contract/vocabulary/text.js';
import { hashKey } from '../../account/authorizations.js';
import { kindOf, refuseNewKey } from '../../account/key-kinds.js';
import { monthOf } from '../../account/quota.js';
import { UNLIMITED_SHOWN } from '../../account/rate-limiter.js';
import { timestamp, timestampOrNull } from '../../context.js';
import { recordEvent } from '../../mail/event-log.js';
import type { ApiKeyRecord, WorkspaceRecord } from '../../model/resources.js';
import type { Transaction } from '../../transaction.js';
import { deleteWorkspace as endWorkspace } from '../../workspaces/ending.js';
import { insertApiKey, presentApiKey, refuseLiveToTest, SECRET_CHARACTERS, visibleKeys } from '../service/api-keys.js';
import type { ControlCall, ControlHandler, ControlHandlers } from './context.js';

/** Implements the control API's endpoints for workspaces. */

const listWorkspaces: ControlHandler<'workspaces.list'> = async (_, context) => ({
  workspaces: await Promise.all((await context.store.read.workspaces.list()).map((record) => present(record, context))),
});

const createWorkspace: ControlHandler<'workspaces.create'> = async ({ body }, context) => {
  const { store, clock, ids, plan, key } = context;
  refuseScoped(key, 'create workspaces');
  if (key.createsWorkspaces) limitCreator(body);
  const {
    name = `ws-${ids.secret(NAME_CHARACTERS).toLowerCase()}`,
    addresses,
    ttl,
    keep = null,
    max_age = null,
    monthly_quota = null,
  } = body;
  const value = keyPrefixes[key.environment] + ids.secret(SECRET_CHARACTERS);
  const now = clock.now();
  const expiresAt = ttl === undefined ? null : clock.systemNow() + ttl;
  const limits = { expiresAt, keep, maxAgeMs: max_age, monthlyQuota: monthly_quota };
  const record: WorkspaceRecord = { name, addresses: [...new Set(addresses)], ...limits, createdAt: now };
  await store.write(async (tx) => {
    if (await tx.workspaces.find(name)) {
      throw new ServiceError('conflict', `Workspace ${JSON.stringify(name)} already exists.`, undefined, EXISTS_HINT);
    }
    if ((await tx.workspaces.ended()).includes(name)) {
      throw new ServiceError('conflict', `Workspace ${JSON.stringify(name)} is being deleted.`, undefined, ENDED_HINT);
    }
    if (key.createsWorkspaces) await refuseTooMany(tx);
    await tx.workspaces.insert(record);
    const { environment, owner } = key;
    const apiKey: ApiKeyRecord = {
      id: ids.next('key', now),
      name: `workspace ${name}`,
      environment,
      rateLimit: plans[plan].requestsPerMinute ?? UNLIMITED_SHOWN,
      hash: hashKey(value),
      workspace: name,
      admin: false,
      createsWorkspaces: false,
      owner,
      expiresAt,
      createdAt: now,
    };
    await tx.apiKeys.insert(apiKey);
    const created = { api_key_id: apiKey.id, name: apiKey.name, environment, created_at: timestamp(now) };
    await recordEvent(tx, context, 'api_key.created', created);
    return record;
  });
  return { ...(await present(record, context)), api_key: value };
};

/** Limits what a key may create that only creates workspaces. @throws ServiceError */
function limitCreator({ addresses, ttl, monthly_quota }: Parameters<typeof createWorkspace>[0]['body']): void {
  const most = formatDuration(CREATOR_TTL_MAX_MS);
  if (ttl === undefined)
    throw invalidField(
      'ttl',
      `is required with a key that creates workspaces, and at most ${most}: pass --ttl 2h, for example`,
    );
  if (ttl > CREATOR_TTL_MAX_MS) throw invalidField('ttl', `must be at most ${most} with a key that creates workspaces`);
  // Patterns would take emails away from others.
  if (addresses.length > 0) throw invalidField('addresses', 'needs an admin key');
  if (monthly_quota !== undefined) throw invalidField('monthly_quota', 'needs an admin key');
}

async function refuseTooMany(tx: Transaction): Promise<void> {
  const expiring = (await tx.workspaces.list()).filter(({ expiresAt }) => expiresAt !== null);
  if (expiring.length < EXPIRING_MAX) return;
  const hint = 'Wait until some expire, or ask an administrator to delete some: "svc dev workspaces delete".';
  throw new ServiceError('conflict', `At most ${EXPIRING_MAX} workspaces that expire can exist.`, undefined, hint);
}

const updateWorkspace: ControlHandler<'workspaces.update'> = async ({ params: { name }, body }, context) => {
  refuseScoped(context.key, 'change workspaces');
  const record = await context.store.write(async (tx) => {
    const found = await tx.workspaces.find(name);
    if (!found) throw unknownWorkspace(name);
    const { keep = found.keep, max_age = found.maxAgeMs, monthly_quota = found.monthlyQuota } = body;
    const limits = { keep, maxAgeMs: max_age, monthlyQuota: monthly_quota };
    await tx.workspaces.limit(name, limits);
    return { ...found, ...limits };
  });
  return present(record, context);
};

const deleteWorkspace: ControlHandler<'workspaces.delete'> = async ({ params: { name } }, context) => {
  refuseScoped(context.key, 'delete workspaces');
  const { workspaces } = context.store.read;
  // A deletion that has failed can be repeated.
  if (!(await workspaces.find(name)) && !(await workspaces.ended()).includes(name)) throw unknownWorkspace(name);
  await endWorkspace(context, name);
};

const EXISTS_HINT = 'Delete it first, or choose another name.';
const ENDED_HINT = 'Try again in a moment, or choose another name.';

/** Length of the random part of a name. */
const NAME_CHARACTERS = 10;
/** Number of workspaces that expire, up to which a key that creates workspaces may add one. */
const EXPIRING_MAX = 1_000;

function unknownWorkspace(name: string): ServiceError {
  const hint = 'Run "svc dev workspaces list" to see all workspaces.';
  return new ServiceError('not_found', `Workspace ${JSON.stringify(shortened(name))} not found.`, undefined, hint);
}

/**
 * Returns the workspace that a call changes: that of its key, or another one that it names.
 * @throws ServiceError `forbidden` for a key that may not change others, and `not_found`.
 */
export async function changedWorkspace(
  { key, access, store }: Pick<ControlCall, 'key' | 'access' | 'store'>,
  name: string | undefined,
): Promise<string | null> {
  if (name === undefined || name === key.workspace) return key.workspace;
  if (key.workspace !== null || (access === 'team' && !key.admin)) {
    const hint = 'Use a key of the workspace, or an admin key.';
    throw new ServiceError('forbidden', `This key cannot change workspace ${shortened(name)}.`, undefined, hint);
  }
  if (!(await store.read.workspaces.find(name))) throw unknownWorkspace(name);
  return name;
}

/** @throws ServiceError `forbidden` if a key is limited to a workspace. */
export function refuseScoped({ workspace }: Pick<ApiKeyRecord, 'workspace'>, action: string): void {
  if (workspace === null) return;
  const hint = 'Use a key of the server. "svc dev" prints it when it starts.';
  throw new ServiceError('forbidden', `The key of workspace ${workspace} cannot ${action}.`, undefined, hint);
}

async function present(
  record: WorkspaceRecord,
  { store: { read }, clock }: Pick<ControlCall, 'store' | 'clock'>,
): Promise<Workspace> {
  const { name, addresses, keep, maxAgeMs, monthlyQuota, expiresAt, createdAt } = record;
  const { total } = await read.emails.list({ workspace: name }, { limit: 1, offset: 0 });
  return {
    name,
    addresses,
    emails: total,
    keep,
    max_age_ms: maxAgeMs,
    monthly_quota: monthlyQuota,
    sent_this_month: await read.workspaces.sent(name, monthOf(clock.now()).start),
    expires_at: timestampOrNull(expiresAt),
    created_at: timestamp(createdAt),
  };
}

/** Implements the control API's endpoints for API keys. */

const inspectApiKeys: ControlHandler<'api-keys.inspect'> = async (_, context) => ({
  api_keys: (await visibleKeys(context)).map(withKind),
});

const issueApiKey: ControlHandler<'api-keys.issue'> = async ({ body }, context) => {
  refuseScoped(context.key, 'create API keys of any kind');
  const { admin, workspace = null, creates_workspaces, owner = context.key.owner, expires_in, ...rest } = body;
  if (admin && workspace !== null) {
    throw invalidField('admin', 'must be false for a key of a workspace');
  }
  if (creates_workspaces && (admin || workspace !== null)) {
    throw invalidField('creates_workspaces', 'must be false for an admin key and for a key of a workspace');
  }
  const rights = { admin, workspace, owner, createsWorkspaces: creates_workspaces };
  refuseNewKey(context.key, rights, context.access);
  if (kindOf(context.key) === 'ordinary') refuseLiveToTest(context.key, rest.environment, 'create');
  if (workspace !== null && !(await context.store.read.workspaces.find(workspace))) throw unknownWorkspace(workspace);
  const { record, value } = await insertApiKey(
    { ...rest, ...rights, expiresAt: await expiryOf(expires_in, workspace, context) },
    context,
  );
  return { ...withKind(record), key: value };
};

/** Returns when a key expires. It outlives neither its workspace nor the key that creates it. */
async function expiryOf(
  expiresIn: number | undefined,
  workspace: string | null,
  { store, clock, key }: ControlCall,
): Promise<number | null> {
  const own = expiresIn === undefined ? null : clock.systemNow() + expiresIn;
  const limit = workspace === null ? null : ((await store.read.workspaces.find(workspace))?.expiresAt ?? null);
  const ends = [own, limit, key.expiresAt].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

function withKind(record: ApiKeyRecord) {
  const { workspace, owner, expiresAt } = record;
  return { ...presentApiKey(record), kind: kindOf(record), workspace, owner, expires_at: timestampOrNull(expiresAt) };
}

export const workspaceHandlers = {
  'workspaces.list': listWorkspaces,
  'workspaces.create': createWorkspace,
  'workspaces.update': updateWorkspace,
  'workspaces.delete': deleteWorkspace,
  'api-keys.inspect': inspectApiKeys,
  'api-keys.issue': issueApiKey,
} satisfies Partial<ControlHandlers>;
