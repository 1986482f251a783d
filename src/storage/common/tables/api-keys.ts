import type { ApiKeyRecord } from '../../../core/model/resources.js';
import { bit, instant, instantOrNull, integer, oneOf, text, textOrNull } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import { Table } from '../sql.js';

export const apiKeyRow = new RowMapping<ApiKeyRecord>({
  id: text('id'),
  name: text('name'),
  environment: oneOf('environment', ['live', 'test']),
  rateLimit: integer('rate_limit', 1),
  hash: text('hash'),
  workspace: textOrNull('workspace'),
  admin: bit('admin'),
  createsWorkspaces: bit('creates_workspaces'),
  owner: textOrNull('owner'),
  expiresAt: instantOrNull('expires_at'),
  createdAt: instant('created_at'),
});

/** Maximum number of cached keys. If more are in use, the others are looked up for each request. */
const CACHED_KEYS_MAX = 8;

export class ApiKeyTable extends Table {
  readonly #insert = this.sql.prepare(`INSERT INTO api_keys ${apiKeyRow.into()}`);
  readonly #delete = this.sql.prepare('DELETE FROM api_keys WHERE id = ?');
  readonly #find = this.sql.prepare('SELECT * FROM api_keys WHERE id = ?');
  readonly #findByHash = this.sql.prepare('SELECT * FROM api_keys WHERE hash = ?');
  readonly #list = this.sql.prepare('SELECT * FROM api_keys ORDER BY seq DESC');
  /** Keys as of the start of the last commit. Every request looks up its key, which takes 20 µs without the cache. */
  readonly #cache = new Map<string, ApiKeyRecord>();

  async insert(key: ApiKeyRecord): Promise<void> {
    this.#insert.send(...apiKeyRow.values(key));
  }

  async delete(id: string): Promise<void> {
    this.#delete.send(id);
    this.forget();
  }

  async find(id: string): Promise<ApiKeyRecord | undefined> {
    return this.rows.one('api_keys', () => this.#find.get(id), apiKeyRow.read);
  }

  async findByHash(hash: string): Promise<ApiKeyRecord | undefined> {
    const found = this.#cache.get(hash) ?? (await this.#lookUp(hash));
    if (found && this.sql.keepsRows && !this.sql.inTransaction) this.#cache.set(hash, found);
    return found;
  }

  /** Reads the cached keys again at the start of a transaction, because other processes may have changed them. */
  async refresh(): Promise<void> {
    const hashes = [...this.#cache.keys()];
    this.forget();
    if (hashes.length > CACHED_KEYS_MAX) return;
    for (const hash of hashes) {
      const found = await this.#lookUp(hash);
      if (found) this.#cache.set(hash, found);
    }
  }

  /** Empties the cache, because keys may have been deleted. */
  forget(): void {
    this.#cache.clear();
  }

  async list(): Promise<ApiKeyRecord[]> {
    return this.rows.all('api_keys', () => this.#list.all(), apiKeyRow.read);
  }

  #lookUp(hash: string): Promise<ApiKeyRecord | undefined> {
    return this.rows.one('api_keys', () => this.#findByHash.get(hash), apiKeyRow.read);
  }
}
