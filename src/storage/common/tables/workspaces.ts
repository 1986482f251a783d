import type { WorkspaceRecord } from '../../../core/model/resources.js';
import { instant, instantOrNull, integerOrNull, list, text } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import type { Rows, Sql } from '../sql.js';

export const workspaceRow = new RowMapping<WorkspaceRecord>({
  name: text('name'),
  addresses: list('addresses'),
  expiresAt: instantOrNull('expires_at'),
  keep: integerOrNull('keep', 1),
  maxAgeMs: integerOrNull('max_age_ms', 1),
  createdAt: instant('created_at'),
});

export class WorkspaceTable {
  readonly #insert;
  readonly #find;
  readonly #list;
  readonly #end;
  readonly #ended;
  readonly #delete;
  /** The workspaces as of the start of the last commit. Every message looks for its owner among them. */
  #cache: WorkspaceRecord[] | undefined;

  constructor(
    private readonly sql: Sql,
    private readonly rows: Rows,
  ) {
    this.#insert = sql.prepare(`INSERT INTO workspaces ${workspaceRow.into()}`);
    this.#find = sql.preparePolicy('SELECT * FROM workspaces WHERE name = ? AND ended = 0');
    this.#list = sql.prepare('SELECT * FROM workspaces WHERE ended = 0 ORDER BY seq');
    this.#end = sql.prepare('UPDATE workspaces SET ended = 1 WHERE name = ?');
    this.#ended = sql.prepare('SELECT name FROM workspaces WHERE ended = 1');
    this.#delete = sql.prepare('DELETE FROM workspaces WHERE name = ?');
  }

  async insert(workspace: WorkspaceRecord): Promise<void> {
    this.#insert.send(...workspaceRow.values(workspace));
    this.forget();
  }

  async end(name: string): Promise<void> {
    this.#end.send(name);
    this.forget();
  }

  async ended(): Promise<string[]> {
    return this.#ended.values<string>();
  }

  async find(name: string): Promise<WorkspaceRecord | undefined> {
    return this.rows.one('workspaces', () => this.#find.get(name), workspaceRow.read);
  }

  async list(): Promise<WorkspaceRecord[]> {
    if (this.#cache) return this.#cache;
    const read = await this.rows.all('workspaces', () => this.#list.all(), workspaceRow.read);
    // A write that is undone leaves nothing in the cache.
    if (this.sql.keepsRows && !this.sql.inTransaction) this.#cache = read;
    return read;
  }

  /** Reads the workspaces again when they are needed, because they may have changed. */
  forget(): void {
    this.#cache = undefined;
  }

  async delete(name: string): Promise<void> {
    this.#delete.send(name);
    this.forget();
  }
}
