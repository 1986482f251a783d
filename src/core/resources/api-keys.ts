import { hash, timingSafeEqual } from 'node:crypto';
import { type ApiKey, keyPrefixes } from '../../contract/service/api-keys.js';
import { API_KEY_FORM } from '../../contract/vocabulary/api-key-form.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { shortened } from '../../contract/vocabulary/helpers/shorten.js';
import { plans } from '../../contract/vocabulary/limits.js';
import { type Core, type Handler, timestamp } from '../context.js';
import { recordEvent } from '../mail/event-log.js';
import type { ApiKeyRecord } from '../model/resources.js';
import { UNLIMITED_SHOWN } from './rate-limiter.js';

/**
 * Implements the endpoints for API keys and their authentication. Specification: API key, Authentication; gaps 14
 * to 16.
 */

export const SECRET_CHARACTERS = 32;

export function hashKey(value: string): string {
  return hash('sha256', value);
}

/**
 * Returns the key of an `Authorization` header.
 * @throws ServiceError `unauthenticated` if it is missing, malformed, unknown or revoked.
 */
export async function authenticate(header: string | undefined, { store }: Pick<Core, 'store'>): Promise<ApiKeyRecord> {
  if (header === undefined) throw refused('The Authorization header is missing.');
  const value = /^Bearer (\S+)$/.exec(header)?.[1];
  if (value === undefined) throw refused('The Authorization header must be "Bearer <API_KEY>".');
  if (!API_KEY_FORM.test(value)) throw refused('The API key must start with svc_test_ or svc_live_.');
  const hash = hashKey(value);
  const key = await store.read.apiKeys.findByHash(hash);
  if (!key || !timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash))) {
    throw refused('The API key is unknown or has been revoked.');
  }
  return key;
}

export const listApiKeys: Handler<'api-keys.list'> = async (_, { store }) => ({
  api_keys: (await store.read.apiKeys.list()).map(present),
});

export const createApiKey: Handler<'api-keys.create'> = async ({ body }, context) => {
  refuseLiveToTest(context.key, body.environment, 'create');
  if (body.rate_limit === undefined) {
    context.warn({ code: 'missing_rate_limit', path: 'rate_limit', message: "is missing; the plan's limit is used" });
  }
  const value = keyPrefixes[body.environment] + context.ids.secret(SECRET_CHARACTERS);
  const key = await context.store.write(async (tx) => {
    const now = context.clock.now();
    const id = context.ids.next('key', now);
    const { name, environment, rate_limit = plans[context.plan].requestsPerMinute ?? UNLIMITED_SHOWN } = body;
    const { workspace } = context.key;
    const record: ApiKeyRecord = {
      id,
      name,
      environment,
      rateLimit: rate_limit,
      hash: hashKey(value),
      workspace,
      createdAt: now,
    };
    await tx.apiKeys.insert(record);
    const created_at = timestamp(now);
    await recordEvent(tx, context, 'api_key.created', { api_key_id: id, name, environment, created_at });
    return record;
  });
  return { ...present(key), key: value };
};

export const revokeApiKey: Handler<'api-keys.revoke'> = ({ params }, context) =>
  context.store.write(async (tx) => {
    const key = await tx.apiKeys.find(params.id);
    if (!key) throw new ServiceError('not_found', `API key ${JSON.stringify(shortened(params.id))} not found.`);
    refuseLiveToTest(context.key, key.environment, 'revoke');
    await tx.apiKeys.delete(key.id);
    const revoked_at = timestamp(context.clock.now());
    await recordEvent(tx, context, 'api_key.revoked', { api_key_id: key.id, name: key.name, revoked_at });
  });

/** Rejects access to a live key from a caller with a test key. Gap 15. */
function refuseLiveToTest(caller: ApiKeyRecord, environment: ApiKey['environment'], verb: string): void {
  if (caller.environment === 'live' || environment === 'test') return;
  throw new ServiceError('forbidden', `A test key cannot ${verb} a live key.`);
}

function refused(message: string): ServiceError {
  return new ServiceError('unauthenticated', message);
}

function present(key: ApiKeyRecord): ApiKey {
  return {
    id: key.id,
    name: key.name,
    environment: key.environment,
    rate_limit: key.rateLimit,
    created_at: timestamp(key.createdAt),
  };
}
