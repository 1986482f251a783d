import { hash, timingSafeEqual } from 'node:crypto';
import { API_KEY_FORM } from '../../contract/vocabulary/access.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { type Core, timestamp } from '../context.js';
import type { ApiKeyRecord } from '../model/resources.js';
import type { Reads } from '../reads.js';
import type { Committed } from '../store.js';

/**
 * Ends what callers have open when their right ends: streams, waits, and calls whose body is still being sent. Decision
 * 155.
 */

/** The right of a call: its API key, and the session of the inbox that uses the key, if any. */
export interface Right {
  key: ApiKeyRecord;
  /** Whether the session was opened with the inbox password. */
  byPassword?: boolean;
  /** The person of the session, whom a trusted proxy has signed in. */
  person?: string | undefined;
  /** Whether the session may switch between workspaces, and the one that it has switched to. */
  maySwitch?: boolean;
  switchedTo?: string | undefined;
  /** When the key or the session expires, in milliseconds since 1970 of system time. */
  expiresAt?: number;
}

/** Finds the right of a call. @throws ServiceError `unauthenticated` if it has none. */
type FindRight = () => Promise<Right>;

const REPLACED = 'The API key does not exist in the state that was imported.';
const EXPIRED = 'The inbox session has expired.';
const KEY_EXPIRED = 'The API key has expired.';

/** Returns the right of a call with a key. */
export function rightOfKey(key: ApiKeyRecord): Right {
  return key.expiresAt === null ? { key } : { key, expiresAt: key.expiresAt };
}

export class Authorizations {
  /** The authorizations of streams and waits, by the ID of their key. */
  readonly #open = new Map<string, Set<Authorization>>();
  /** Number of commits that may have ended rights. */
  #endings = 0;

  constructor(private readonly core: Pick<Core, 'store' | 'clock'>) {
    core.store.onCommit((committed) => this.#onCommit(committed));
  }

  /** Authorizes a call. @throws ServiceError `unauthenticated`. */
  async authorize(find: FindRight): Promise<Authorization> {
    // Read before the key: a commit in between must count.
    const seen = this.#endings;
    return new Authorization(this, find, await find(), seen);
  }

  get endings(): number {
    return this.#endings;
  }

  /** Ends an authorization when its right ends, until the signal. */
  follow(authorization: Authorization, closed: AbortSignal): void {
    const { key, expiresAt, byPassword } = authorization.right;
    const ofKey = this.#open.get(key.id) ?? new Set();
    this.#open.set(key.id, ofKey.add(authorization));
    const { clock } = this.core;
    const cancel =
      expiresAt === undefined
        ? undefined
        : clock.after(Math.max(0, expiresAt - clock.systemNow()), () =>
            authorization.end(ended(byPassword === undefined ? KEY_EXPIRED : EXPIRED)),
          );
    const forget = () => {
      cancel?.();
      ofKey.delete(authorization);
      if (ofKey.size === 0 && this.#open.get(key.id) === ofKey) this.#open.delete(key.id);
    };
    if (closed.aborted) forget();
    else closed.addEventListener('abort', forget, { once: true });
  }

  /** Commits arrive in order, also those of other processes: later ones are delivered to no one whose key is revoked. */
  #onCommit({ appended, replaced }: Committed): void {
    const revoked = appended.filter(({ type }) => type === 'api_key.revoked');
    if (revoked.length === 0 && !replaced) return;
    this.#endings += 1;
    for (const { payload } of revoked) {
      const { data } = JSON.parse(payload) as { data: { api_key_id: string } };
      this.#end(data.api_key_id, REVOKED);
    }
    if (replaced) void this.#endReplaced();
  }

  #end(keyId: string, reason: string): void {
    for (const each of this.#open.get(keyId) ?? []) each.end(ended(reason));
  }

  /** An import has replaced all keys, or a reset has kept them. */
  async #endReplaced(): Promise<void> {
    // If the keys cannot be read, clients have to log in again.
    const keys = await this.core.store.read.apiKeys.list().catch(() => []);
    const rights = new Set(keys.map(rightsOf));
    for (const [id, [first]] of this.#open) {
      if (first && !rights.has(rightsOf(first.right.key))) this.#end(id, REPLACED);
    }
  }
}

/** The right of a call, which can be checked again while the call is open. */
export class Authorization {
  readonly #ended = new AbortController();
  #isFollowed = false;

  constructor(
    private readonly authorizations: Authorizations,
    private readonly find: FindRight,
    readonly right: Right,
    private seen: number,
  ) {}

  get key(): ApiKeyRecord {
    return this.right.key;
  }

  /** Checks the right again if any right has ended since. @throws ServiceError `unauthenticated`. */
  async check(): Promise<void> {
    if (this.seen !== this.authorizations.endings) await this.recheck();
  }

  /** Reads the right again. @throws ServiceError `unauthenticated`. */
  async recheck(): Promise<void> {
    this.#ended.signal.throwIfAborted();
    const seen = this.authorizations.endings;
    await this.find();
    this.seen = seen;
  }

  /** Returns a signal that fires with a ServiceError when the right ends. It no longer does after `closed` has fired. */
  until(closed: AbortSignal): AbortSignal {
    if (!this.#isFollowed) {
      this.#isFollowed = true;
      this.authorizations.follow(this, closed);
      // The right may have ended before it was followed.
      this.check().catch((error: unknown) => this.end(error));
    }
    return this.#ended.signal;
  }

  end(reason: unknown): void {
    this.#ended.abort(reason);
  }
}

function ended(message: string): ServiceError {
  return new ServiceError('unauthenticated', message);
}

/** Returns what an imported key must have in common with an earlier one to have the same rights. */
function rightsOf({ id, hash, workspace }: ApiKeyRecord): string {
  return JSON.stringify([id, hash, workspace]);
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

const REVOKED = 'The API key has been revoked.';

/** @throws ServiceError `unauthenticated` for a key that has expired at the machine's time. */
export function refuseExpired({ id, expiresAt }: Pick<ApiKeyRecord, 'id' | 'expiresAt'>, systemNow: number): void {
  if (expiresAt === null || systemNow < expiresAt) return;
  const hint = 'Use another key. "svc api-keys create --expires 90d" creates one.';
  const message = `The API key ${id} expired at ${timestamp(expiresAt)}.`;
  throw new ServiceError('unauthenticated', message, undefined, hint);
}

function refused(message: string): ServiceError {
  return new ServiceError('unauthenticated', message);
}

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
