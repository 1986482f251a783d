import { invalidField } from '../../contract/vocabulary/errors.js';
import type { ApiKeyRecord } from '../model/resources.js';
import { insertApiKey, presentApiKey } from '../resources/api-keys.js';
import { kindOf } from '../resources/key-policy.js';
import type { ControlHandler } from './context.js';
import { refuseScoped, unknownWorkspace } from './workspaces.js';

/** Implements the control API's endpoints for API keys. */

export const inspectApiKeys: ControlHandler<'api-keys.inspect'> = async (_, { store }) => ({
  api_keys: (await store.read.apiKeys.list()).map(withKind),
});

export const issueApiKey: ControlHandler<'api-keys.issue'> = async ({ body }, context) => {
  refuseScoped(context.key, 'create API keys of any kind');
  const { admin, workspace = null, ...rest } = body;
  if (admin && workspace !== null) {
    throw invalidField('admin', 'must be false for a key of a workspace');
  }
  if (workspace !== null && !(await context.store.read.workspaces.find(workspace))) throw unknownWorkspace(workspace);
  const { record, value } = await insertApiKey({ ...rest, admin, workspace }, context);
  return { ...withKind(record), key: value };
};

function withKind(record: ApiKeyRecord) {
  return { ...presentApiKey(record), kind: kindOf(record), workspace: record.workspace };
}
