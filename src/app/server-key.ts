import { keyPrefixes } from '../contract/service/api-keys.js';
import { API_KEY_FORM } from '../contract/vocabulary/api-key-form.js';
import { plans } from '../contract/vocabulary/limits.js';
import type { Core } from '../core/context.js';
import { hashKey } from '../core/resources/api-keys.js';
import type { Transaction } from '../core/transaction.js';

/**
 * Returns a function that makes the local server's own API key valid. Records no event, because no API call creates the
 * key.
 */
export function serverKeyEnsurer({ clock, ids, access }: Core, value: string): (tx: Transaction) => Promise<void> {
  if (!API_KEY_FORM.test(value)) throw new TypeError('the API key must start with svc_test_ or svc_live_');
  const hash = hashKey(value);
  return async (tx) => {
    const administrates = access === 'team';
    const existing = await tx.apiKeys.findByHash(hash);
    if (existing && (existing.administrates || !administrates)) return;
    if (existing) {
      await tx.apiKeys.delete(existing.id);
      await tx.apiKeys.insert({ ...existing, workspace: null, administrates });
      return;
    }
    const createdAt = clock.now();
    await tx.apiKeys.insert({
      id: ids.next('key', createdAt),
      name: administrates ? 'SVC_API_KEY' : 'Local server',
      environment: value.startsWith(keyPrefixes.live) ? 'live' : 'test',
      // The limit of the largest plan. The plan's limit applies if it is lower, and the key may outlive the plan.
      rateLimit: plans.enterprise.requestsPerMinute,
      hash,
      workspace: null,
      administrates,
      createdAt,
    });
  };
}
