import type { Client } from '../../client/client.js';
import { ApiFailure, NoControlError } from '../../client/failures.js';
import type { ApiKey } from '../../contract/service/api-keys.js';
import type { KeyKind } from '../../contract/vocabulary/access.js';

/** A key as the service lists it. `svc dev` and `svc serve` add its kind. */
export type ListedKey = ApiKey & {
  kind?: KeyKind;
  workspace?: string | null;
  owner?: string | null;
  expires_at?: string | null;
};

/** Lists API keys with their kinds, or as the service does if the server has no control API. */
export async function listKeys(client: Client): Promise<{ api_keys: ListedKey[] }> {
  try {
    return await client.control('api-keys.inspect', {});
  } catch (error) {
    if (error instanceof NoControlError) return client.call('api-keys.list', {});
    throw error;
  }
}

/** Returns whether a key is the only admin key of a server for a team. Other servers have none. */
export async function isLastAdmin(client: Client, id: string): Promise<boolean> {
  try {
    const { api_keys } = await client.control('api-keys.inspect', {});
    const admins = api_keys.filter(({ kind }) => kind === 'admin');
    return admins.length === 1 && admins[0]?.id === id;
  } catch (error) {
    // What the server refuses here, it refuses for the key itself, too.
    if (error instanceof NoControlError || error instanceof ApiFailure) return false;
    throw error;
  }
}
