import { keyPrefixes } from '../contract/service/api-keys.js';
import { API_KEY_FORM } from '../contract/vocabulary/api-key-form.js';
import { plans } from '../contract/vocabulary/limits.js';
import type { Core } from '../core/context.js';
import { hashKey } from '../core/resources/api-keys.js';
import type { Transaction } from '../core/transaction.js';

/**
 * Returns a function that makes the server's own API key valid. Records no event, because no API call creates the key. The
 * function returns the ID of a key that was not an admin key before, unless the server is new.
 */
export function serverKeyEnsurer(
  { clock, ids, access }: Core,
  value: string,
): (tx: Transaction) => Promise<string | undefined> {
  if (!API_KEY_FORM.test(value)) throw new TypeError('the API key must start with svc_test_ or svc_live_');
  const hash = hashKey(value);
  return async (tx) => {
    const admin = access === 'team';
    const existing = await tx.apiKeys.findByHash(hash);
    const isUnrestricted = existing?.expiresAt === null && !existing.createsWorkspaces;
    if (existing && isUnrestricted && (existing.admin || !admin)) return undefined;
    if (existing) {
      await tx.apiKeys.delete(existing.id);
      await tx.apiKeys.insert({ ...existing, ...UNRESTRICTED, admin });
      return existing.id;
    }
    const createdAt = clock.now();
    const id = ids.next('key', createdAt);
    // A key that was revoked leaves an event, also if it was the only one.
    const isFirst = (await tx.apiKeys.list()).length === 0 && (await tx.events.lastSeq()) === 0;
    await tx.apiKeys.insert({
      id,
      name: admin ? 'SVC_API_KEY' : 'Local server',
      environment: value.startsWith(keyPrefixes.live) ? 'live' : 'test',
      // The limit of the largest plan. The plan's limit applies if it is lower, and the key may outlive the plan.
      rateLimit: plans.enterprise.requestsPerMinute,
      hash,
      ...UNRESTRICTED,
      owner: null,
      admin,
      createdAt,
    });
    return isFirst || !admin ? undefined : id;
  };
}

const UNRESTRICTED = { workspace: null, createsWorkspaces: false, expiresAt: null };

/** Returns the notice about a key that the start of a server made an admin key. */
export function serverKeyNotice(id: string): string {
  return `The key of SVC_API_KEY is an admin key from now on: ${id}. Until this start, it was revoked, unknown or of another kind.`;
}
