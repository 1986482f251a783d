import { authenticate, hashKey } from '../../core/account/authorizations.js';
import type { Core } from '../../core/context.js';
import type { ApiKeyRecord } from '../../core/model/resources.js';
import { DatabaseUnavailableError, StoreUnavailableError } from '../../core/store.js';

/** Authenticates requests for metrics also while the database is unavailable, when metrics are needed most. */

/** Milliseconds in which a key that was valid is accepted without the database, and how many are remembered. */
const REMEMBERED_MS = 15 * 60_000;
const REMEMBERED_MAX = 100;

export class MetricsKeys {
  /** What is known of keys by the header that they came in, as a hash. */
  readonly #remembered = new Map<string, { key: ApiKeyRecord; until: number }>();
  readonly #own: { hash: string; key: ApiKeyRecord };

  /** @param apiKey the admin key that the server was started with */
  constructor(
    private readonly core: Pick<Core, 'store' | 'clock'>,
    apiKey: string,
  ) {
    const own = { id: 'SVC_API_KEY', name: 'SVC_API_KEY', hash: hashKey(apiKey), workspace: null, admin: true };
    const hash = hashKey(`Bearer ${apiKey}`);
    const unused = { createsWorkspaces: false, owner: null, expiresAt: null, rateLimit: 0, createdAt: 0 };
    this.#own = { hash, key: { ...own, ...unused, environment: 'test' } };
  }

  /**
   * Returns the key of an `Authorization` header.
   * @param late resolves when the database has had its time
   * @throws ServiceError `unauthenticated` for a wrong one, and DatabaseUnavailableError for one that cannot be checked.
   */
  async find(header: string | undefined, late: Promise<undefined>): Promise<ApiKeyRecord> {
    const hash = hashKey(header ?? '');
    const found = await Promise.race([this.#ask(header), late]);
    const now = this.core.clock.systemNow();
    if (found) {
      if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
      this.#remembered.set(hash, { key: found, until: now + REMEMBERED_MS });
      return found;
    }
    const remembered = this.#remembered.get(hash);
    if (remembered && remembered.until > now) return remembered.key;
    if (hash === this.#own.hash) return this.#own.key;
    throw new DatabaseUnavailableError('Cannot use the database: the key cannot be checked');
  }

  /** Returns undefined if the database cannot answer. */
  #ask(header: string | undefined): Promise<ApiKeyRecord | undefined> {
    return authenticate(header, this.core).catch((error: unknown) => {
      if (error instanceof StoreUnavailableError) return undefined;
      this.#remembered.delete(hashKey(header ?? ''));
      throw error;
    });
  }
}
