import type { Endpoint } from '../../contract/endpoint.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { type Access, type KeyKind, keyKinds } from '../../contract/vocabulary/key-kinds.js';
import type { ApiKeyRecord } from '../model/resources.js';

/** Decides what a kind of API key may do on a server for a team. The contract declares it for each endpoint. */

type Key = Pick<ApiKeyRecord, 'workspace' | 'administrates'>;

export function kindOf({ workspace, administrates }: Key): KeyKind {
  if (workspace !== null) return 'workspace';
  return administrates ? 'administrating' : 'ordinary';
}

/** @throws ServiceError `forbidden` if an endpoint is for other kinds of keys. */
export function refuseKind(
  { summary, keyKinds: allowed = keyKinds }: Pick<Endpoint, 'summary' | 'keyKinds'>,
  key: Key,
  access: Access,
): void {
  if (access === 'local' || allowed.includes(kindOf(key))) return;
  throw needsKind(`“${summary}”`, key, allowed.includes('ordinary') ? 'ordinary' : 'administrating');
}

/** @throws ServiceError `forbidden` if a key that does not administrate would change one that does. */
export function refuseToAdministrate(caller: Key, target: Key, access: Access): void {
  if (access === 'local' || kindOf(caller) === 'administrating' || kindOf(target) !== 'administrating') return;
  throw needsKind('A change of an administrating key', caller, 'administrating');
}

const NEEDED = {
  administrating: 'an administrating key',
  ordinary: 'a key without a workspace',
};

const HINTS = {
  administrating:
    'Use the key of SVC_API_KEY that the server was started with, or a key that was created with it as administrating.',
  ordinary: 'Use an ordinary or an administrating key of the server.',
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
