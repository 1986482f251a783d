import type Database from 'better-sqlite3';
import type { ApiKeyRecord } from '../../../core/model.js';
import type { Columns } from '../rows/columns.js';
import type { RowReader } from '../rows/reader.js';

/** Keys that are read anew at each commit; where more are in use, each is looked up when it is asked for. */
const CACHED_KEYS_MAX = 8;

export class ApiKeyTable {
  readonly #insert;
  readonly #delete;
  readonly #find;
  readonly #findByHash;
  readonly #list;
  /** As they were when the last commit began. Every request looks its key up, and a look outside of a transaction costs 20 µs. */
  readonly #cache = new Map<string, ApiKeyRecord>();

  constructor(
    private readonly db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#insert = db.prepare(
      `INSERT INTO api_keys (id, name, environment, rate_limit, hash, created_at)
       VALUES (@id, @name, @environment, @rateLimit, @hash, @createdAt)`,
    );
    this.#delete = db.prepare('DELETE FROM api_keys WHERE id = ?');
    this.#find = db.prepare('SELECT * FROM api_keys WHERE id = ?');
    this.#findByHash = db.prepare('SELECT * FROM api_keys WHERE hash = ?');
    this.#list = db.prepare('SELECT * FROM api_keys ORDER BY seq DESC');
  }

  async insert(key: ApiKeyRecord): Promise<void> {
    this.#insert.run(key);
  }

  async delete(id: string): Promise<void> {
    this.#delete.run(id);
    this.forget();
  }

  async find(id: string): Promise<ApiKeyRecord | undefined> {
    return this.rows.one('api_keys', () => this.#find.get(id), readApiKey);
  }

  async findByHash(hash: string): Promise<ApiKeyRecord | undefined> {
    const found = this.#cache.get(hash) ?? this.#lookUp(hash);
    if (found && !this.db.inTransaction) this.#cache.set(hash, found);
    return found;
  }

  /** A transaction has begun and changed nothing yet: what other processes did with the keys is seen in it, for little. */
  refresh(): void {
    const hashes = [...this.#cache.keys()];
    this.forget();
    if (hashes.length > CACHED_KEYS_MAX) return;
    for (const hash of hashes) {
      const found = this.#lookUp(hash);
      if (found) this.#cache.set(hash, found);
    }
  }

  /** Keys may be taken away. */
  forget(): void {
    this.#cache.clear();
  }

  async list(): Promise<ApiKeyRecord[]> {
    return this.rows.all('api_keys', () => this.#list.all(), readApiKey);
  }

  #lookUp(hash: string): ApiKeyRecord | undefined {
    return this.rows.one('api_keys', () => this.#findByHash.get(hash), readApiKey);
  }
}

export function readApiKey(row: Columns): ApiKeyRecord {
  return {
    id: row.text('id'),
    name: row.text('name'),
    environment: row.oneOf('environment', ['live', 'test']),
    rateLimit: row.integer('rate_limit', 1),
    hash: row.text('hash'),
    createdAt: row.instant('created_at'),
  };
}
