import { invalidField } from '../../contract/vocabulary/errors.js';
import { timestampOrNull } from '../context.js';
import type { ApiKeyRecord } from '../model/resources.js';
import { insertApiKey, presentApiKey } from '../resources/api-keys.js';
import { kindOf } from '../resources/key-policy.js';
import type { ControlContext, ControlHandler } from './context.js';
import { refuseScoped, unknownWorkspace } from './workspaces.js';

/** Implements the control API's endpoints for API keys. */

export const inspectApiKeys: ControlHandler<'api-keys.inspect'> = async (_, { store }) => ({
  api_keys: (await store.read.apiKeys.list()).map(withKind),
});

export const issueApiKey: ControlHandler<'api-keys.issue'> = async ({ body }, context) => {
  refuseScoped(context.key, 'create API keys of any kind');
  const { admin, workspace = null, creates_workspaces, owner = null, expires_in, ...rest } = body;
  if (admin && workspace !== null) {
    throw invalidField('admin', 'must be false for a key of a workspace');
  }
  if (creates_workspaces && (admin || workspace !== null)) {
    throw invalidField('creates_workspaces', 'must be false for an admin key and for a key of a workspace');
  }
  if (workspace !== null && !(await context.store.read.workspaces.find(workspace))) throw unknownWorkspace(workspace);
  const { record, value } = await insertApiKey(
    {
      ...rest,
      ...{ admin, workspace, owner, createsWorkspaces: creates_workspaces },
      expiresAt: await expiryOf(expires_in, workspace, context),
    },
    context,
  );
  return { ...withKind(record), key: value };
};

/** Returns when a key expires. That of a workspace does not outlive the workspace. */
async function expiryOf(
  expiresIn: number | undefined,
  workspace: string | null,
  { store, clock }: ControlContext,
): Promise<number | null> {
  const own = expiresIn === undefined ? null : clock.systemNow() + expiresIn;
  const limit = workspace === null ? null : ((await store.read.workspaces.find(workspace))?.expiresAt ?? null);
  return own === null || limit === null ? (own ?? limit) : Math.min(own, limit);
}

function withKind(record: ApiKeyRecord) {
  const { workspace, owner, expiresAt } = record;
  return { ...presentApiKey(record), kind: kindOf(record), workspace, owner, expires_at: timestampOrNull(expiresAt) };
}
