import { hash, timingSafeEqual } from 'node:crypto';
import { type ApiKey, keyPrefixes } from '../../contract/service/api-keys.js';
import { API_KEY_FORM } from '../../contract/vocabulary/api-key-form.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { shortened } from '../../contract/vocabulary/helpers/shorten.js';
import { plans } from '../../contract/vocabulary/limits.js';
import { type Core, type Handler, timestamp } from '../context.js';
import { recordEvent } from '../mail/event-log.js';
import type { ApiKeyRecord } from '../model/resources.js';
import type { Reads } from '../reads.js';
import { requireAdminFor } from './key-policy.js';
import { UNLIMITED_SHOWN } from './rate-limiter.js';

/**
 * Implements the endpoints for API keys and their authentication. Specification: API key, Authentication; gaps 14
 * to 16.
 */

export const SECRET_CHARACTERS = 32;

export const REVOKED = 'The API key has been revoked.';

export function hashKey(value: string): string {
  return hash('sha256', value);
}

/**
 * Returns the key of an `Authorization` header.
 * @throws ServiceError `unauthenticated` if it is missing, malformed, unknown, revoked or expired.
 */
export async function authenticate(
  header: string | undefined,
  { store, clock }: Pick<Core, 'store' | 'clock'>,
): Promise<ApiKeyRecord> {
  if (header === undefined) throw refused('The Authorization header is missing.');
  const value = /^Bearer (\S+)$/.exec(header)?.[1];
  if (value === undefined) throw refused('The Authorization header must be "Bearer <API_KEY>".');
  if (!API_KEY_FORM.test(value)) throw refused('The API key must start with svc_test_ or svc_live_.');
  const hash = hashKey(value);
  const key = await store.read.apiKeys.findByHash(hash);
  if (!key || !timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash))) {
    throw refused('The API key is unknown or has been revoked.');
  }
  refuseExpired(key, clock.systemNow());
  return key;
}

/** @throws ServiceError `unauthenticated` if a key that was valid before no longer exists or has expired. */
export async function refuseRevoked(
  { apiKeys }: Pick<Reads, 'apiKeys'>,
  key: Pick<ApiKeyRecord, 'hash'>,
  systemNow: number,
): Promise<void> {
  const found = await apiKeys.findByHash(key.hash);
  if (!found) throw refused(REVOKED);
  refuseExpired(found, systemNow);
}

/** @throws ServiceError `unauthenticated` for a key that has expired at the machine's time. */
export function refuseExpired({ id, expiresAt }: Pick<ApiKeyRecord, 'id' | 'expiresAt'>, systemNow: number): void {
  if (expiresAt === null || systemNow < expiresAt) return;
  const hint = 'Use another key. "svc api-keys create --expires 90d" creates one.';
  const message = `The API key ${id} expired at ${timestamp(expiresAt)}.`;
  throw new ServiceError('unauthenticated', message, undefined, hint);
}

export const listApiKeys: Handler<'api-keys.list'> = async (_, { store }) => ({
  api_keys: (await store.read.apiKeys.list()).map(presentApiKey),
});

export const createApiKey: Handler<'api-keys.create'> = async ({ body }, context) => {
  refuseLiveToTest(context.key, body.environment, 'create');
  if (body.rate_limit === undefined) {
    context.warn({ code: 'missing_rate_limit', path: 'rate_limit', message: "is missing; the plan's limit is used" });
  }
  const { record, value } = await insertApiKey(
    // A key that expires cannot outlive itself.
    { ...body, workspace: context.key.workspace, admin: false, expiresAt: context.key.expiresAt },
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

export const revokeApiKey: Handler<'api-keys.revoke'> = ({ params }, context) =>
  context.store.write(async (tx) => {
    const key = await tx.apiKeys.find(params.id);
    if (!key) throw new ServiceError('not_found', `API key ${JSON.stringify(shortened(params.id))} not found.`);
    refuseLiveToTest(context.key, key.environment, 'revoke');
    requireAdminFor(context.key, key, context.access);
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
