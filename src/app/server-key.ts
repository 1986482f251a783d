import { keyPrefixes } from '../contract/service/api-keys.js';
import { API_KEY_FORM } from '../contract/vocabulary/api-key-form.js';
import { plans } from '../contract/vocabulary/limits.js';
import type { Core } from '../core/context.js';
import { hashKey } from '../core/resources/api-keys.js';
import type { Transaction } from '../core/transaction.js';

/**
 * Returns a function that makes the server's own API key valid. Records no event, because no API call creates the key. The
 * function returns the ID of a key that did not administrate a server for a team before, unless the server is new.
 */
export function serverKeyEnsurer(
  { clock, ids, access }: Core,
  value: string,
): (tx: Transaction) => Promise<string | undefined> {
  if (!API_KEY_FORM.test(value)) throw new TypeError('the API key must start with svc_test_ or svc_live_');
  const hash = hashKey(value);
  return async (tx) => {
    const administrates = access === 'team';
    const existing = await tx.apiKeys.findByHash(hash);
    if (existing && (existing.administrates || !administrates)) return undefined;
    if (existing) {
      await tx.apiKeys.delete(existing.id);
      await tx.apiKeys.insert({ ...existing, workspace: null, administrates });
      return existing.id;
    }
    const createdAt = clock.now();
    const id = ids.next('key', createdAt);
    // A key that was revoked leaves an event, also if it was the only one.
    const isFirst = (await tx.apiKeys.list()).length === 0 && (await tx.events.lastSeq()) === 0;
    await tx.apiKeys.insert({
      id,
      name: administrates ? 'SVC_API_KEY' : 'Local server',
      environment: value.startsWith(keyPrefixes.live) ? 'live' : 'test',
      // The limit of the largest plan. The plan's limit applies if it is lower, and the key may outlive the plan.
      rateLimit: plans.enterprise.requestsPerMinute,
      hash,
      workspace: null,
      administrates,
      createdAt,
    });
    return isFirst || !administrates ? undefined : id;
  };
}

/** Returns the notice about a key that the start of a server made an administrating one. */
export function serverKeyNotice(id: string): string {
  return `The key of SVC_API_KEY administrates from now on, as ${id}. Until this start, it was revoked, unknown or of another kind.`;
}
