import { type ApiKey, keyPrefixes } from '../../../contract/service/api-keys.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { plans } from '../../../contract/vocabulary/limits.js';
import { shortened } from '../../../contract/vocabulary/text.js';
import { hashKey } from '../../account/authorizations.js';
import { refuseChangeOfKey, seesKey } from '../../account/key-kinds.js';
import { UNLIMITED_SHOWN } from '../../account/rate-limiter.js';
import { type CallContext, type Core, type Handler, type ServiceHandlers, timestamp } from '../../context.js';
import { recordEvent } from '../../mail/event-log.js';
import type { ApiKeyRecord } from '../../model/resources.js';

/**
 * Implements the endpoints for API keys and their authentication. Specification: API key, Authentication; gaps 14
 * to 16.
 */

export const SECRET_CHARACTERS = 32;

const listApiKeys: Handler<'api-keys.list'> = async (_, context) => ({
  api_keys: (await visibleKeys(context)).map(presentApiKey),
});

/** Returns the keys that the caller may see, newest first. */
export async function visibleKeys({ store, key, access }: CallContext): Promise<ApiKeyRecord[]> {
  return (await store.read.apiKeys.list()).filter((each) => seesKey(key, each, access));
}

const createApiKey: Handler<'api-keys.create'> = async ({ body }, context) => {
  refuseLiveToTest(context.key, body.environment, 'create');
  if (body.rate_limit === undefined) {
    context.warn({ code: 'missing_rate_limit', path: 'rate_limit', message: "is missing; the plan's limit is used" });
  }
  const { record, value } = await insertApiKey(
    // A key that expires cannot outlive itself, and a person cannot create keys of others.
    {
      ...body,
      workspace: context.key.workspace,
      admin: false,
      owner: context.key.owner,
      expiresAt: context.key.expiresAt,
    },
    context,
  );
  return { ...presentApiKey(record), key: value };
};

type NewApiKey = Pick<ApiKeyRecord, 'name' | 'environment' | 'workspace' | 'admin'> &
  Partial<Pick<ApiKeyRecord, 'createsWorkspaces' | 'owner' | 'expiresAt'>> & { rate_limit?: number | undefined };

/** Creates a key. Returns its record, and its value, which is not stored. */
export async function insertApiKey(
  { rate_limit: rateLimit, ...rest }: NewApiKey,
  context: Pick<Core, 'store' | 'clock' | 'ids' | 'plan'>,
): Promise<{ record: ApiKeyRecord; value: string }> {
  const value = keyPrefixes[rest.environment] + context.ids.secret(SECRET_CHARACTERS);
  const record = await context.store.write(async (tx) => {
    const createdAt = context.clock.now();
    const inserted: ApiKeyRecord = {
      ...{ createsWorkspaces: false, owner: null, expiresAt: null },
      ...rest,
      id: context.ids.next('key', createdAt),
      rateLimit: rateLimit ?? plans[context.plan].requestsPerMinute ?? UNLIMITED_SHOWN,
      hash: hashKey(value),
      createdAt,
    };
    await tx.apiKeys.insert(inserted);
    const { id, name, environment } = inserted;
    const created_at = timestamp(createdAt);
    await recordEvent(tx, context, 'api_key.created', { api_key_id: id, name, environment, created_at });
    return inserted;
  });
  return { record, value };
}

const revokeApiKey: Handler<'api-keys.revoke'> = ({ params }, context) =>
  context.store.write(async (tx) => {
    const key = await tx.apiKeys.find(params.id);
    if (!key) throw new ServiceError('not_found', `API key ${JSON.stringify(shortened(params.id))} not found.`);
    refuseLiveToTest(context.key, key.environment, 'revoke');
    refuseChangeOfKey(context.key, key, context.access);
    await tx.apiKeys.delete(key.id);
    const revoked_at = timestamp(context.clock.now());
    await recordEvent(tx, context, 'api_key.revoked', { api_key_id: key.id, name: key.name, revoked_at });
  });

/** Rejects access to a live key from a caller with a test key. Gap 15. */
export function refuseLiveToTest(caller: ApiKeyRecord, environment: ApiKey['environment'], verb: string): void {
  if (caller.environment === 'live' || environment === 'test') return;
  throw new ServiceError('forbidden', `A test key cannot ${verb} a live key.`);
}

/** Returns a key as the API shows it. */
export function presentApiKey(key: ApiKeyRecord): ApiKey {
  return {
    id: key.id,
    name: key.name,
    environment: key.environment,
    rate_limit: key.rateLimit,
    created_at: timestamp(key.createdAt),
  };
}

export const apiKeyHandlers = {
  'api-keys.list': listApiKeys,
  'api-keys.create': createApiKey,
  'api-keys.revoke': revokeApiKey,
} satisfies Partial<ServiceHandlers>;
