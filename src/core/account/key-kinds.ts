import type { Endpoint } from '../../contract/endpoint.js';
import { type Access, ANY_KIND, type KeyKind } from '../../contract/vocabulary/access.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import type { ApiKeyRecord } from '../model/resources.js';

/** Decides what a kind of API key may do on a server for a team. The contract declares it for each endpoint. */

type Key = Pick<ApiKeyRecord, 'workspace' | 'admin' | 'createsWorkspaces'>;
type OwnedKey = Key & Pick<ApiKeyRecord, 'owner'>;

export function kindOf({ workspace, admin, createsWorkspaces }: Key): KeyKind {
  if (createsWorkspaces) return 'creator';
  if (workspace !== null) return 'workspace';
  return admin ? 'admin' : 'ordinary';
}

/** @throws ServiceError `forbidden` if an endpoint is for other kinds of keys. */
export function refuseKind(
  { summary, keyKinds: allowed = ANY_KIND }: Pick<Endpoint, 'summary' | 'keyKinds'>,
  key: Key,
  access: Access,
): void {
  if (allowed.includes(kindOf(key))) return;
  refuseCreator(key);
  if (access === 'local') return;
  throw needsKind(`“${summary}”`, key, allowed.includes('ordinary') ? 'ordinary' : 'admin');
}

/** @throws ServiceError `forbidden` for a key that only creates workspaces. */
export function refuseCreator(key: Pick<ApiKeyRecord, 'createsWorkspaces'>): void {
  if (!key.createsWorkspaces) return;
  const hint = 'Create a workspace with "svc dev workspaces create --ttl 2h", and use the key that it prints.';
  throw new ServiceError('forbidden', 'This key creates workspaces, and can do nothing else.', undefined, hint);
}

/** Returns whether a caller sees a key. An ordinary key sees those of its owner; without an owner, those of none. */
export function seesKey(caller: OwnedKey, target: Pick<OwnedKey, 'owner'>, access: Access): boolean {
  return access === 'local' || kindOf(caller) !== 'ordinary' || target.owner === caller.owner;
}

/** @throws ServiceError `forbidden` if a caller would change an admin key, or a key of another owner. */
export function refuseChangeOfKey(caller: OwnedKey, target: OwnedKey, access: Access): void {
  if (access === 'local' || kindOf(caller) === 'admin') return;
  if (kindOf(target) === 'admin') throw needsKind('A change of an admin key', caller, 'admin');
  if (seesKey(caller, target, access)) return;
  throw needsKind('A change of a key of another owner', caller, 'admin');
}

/** @throws ServiceError `forbidden` if an ordinary key would create a key with other rights or another owner. */
export function refuseNewKey(caller: OwnedKey, created: OwnedKey, access: Access): void {
  if (access === 'local' || kindOf(caller) !== 'ordinary') return;
  if (kindOf(created) !== 'ordinary') throw needsKind('The creation of a key of another kind', caller, 'admin');
  if (created.owner !== caller.owner) throw needsKind('The creation of a key of another owner', caller, 'admin');
}

const NEEDED = {
  admin: 'an admin key',
  ordinary: 'a key without a workspace',
};

const HINTS = {
  admin:
    'Ask an administrator of the server. An admin key is the one of SVC_API_KEY at its start, or one created with it.',
  ordinary: 'Use an ordinary or an admin key of the server.',
};

function needsKind(action: string, key: Key, needed: keyof typeof NEEDED): ServiceError {
  const own = key.workspace === null ? 'an ordinary one' : `that of workspace ${key.workspace}`;
  return new ServiceError(
    'forbidden',
    `${action} needs ${NEEDED[needed]}; this key is ${own}.`,
    undefined,
    HINTS[needed],
  );
}
