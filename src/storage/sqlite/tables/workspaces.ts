import type Database from 'better-sqlite3';
import type { WorkspaceRecord } from '../../../core/model/resources.js';
import { instant, list, text } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import type { RowReader } from '../rows/reader.js';
import { RowQuery } from '../rows/row-query.js';

export const workspaceRow = new RowMapping<WorkspaceRecord>({
  name: text('name'),
  addresses: list('addresses'),
  createdAt: instant('created_at'),
});

export class WorkspaceTable {
  readonly #insert;
  readonly #find;
  readonly #list;
  readonly #delete;
  /** The workspaces as of the start of the last commit. Every message looks for its owner among them. */
  #cache: WorkspaceRecord[] | undefined;

  constructor(
    private readonly db: Database.Database,
    private readonly rows: RowReader,
  ) {
    this.#insert = db.prepare(`INSERT INTO workspaces ${workspaceRow.into()}`);
    this.#find = new RowQuery(db, 'SELECT * FROM workspaces WHERE name = ?');
    this.#list = new RowQuery(db, 'SELECT * FROM workspaces ORDER BY seq');
    this.#delete = db.prepare('DELETE FROM workspaces WHERE name = ?');
  }

  async insert(workspace: WorkspaceRecord): Promise<void> {
    this.#insert.run(...workspaceRow.values(workspace));
    this.forget();
  }

  async find(name: string): Promise<WorkspaceRecord | undefined> {
    return this.rows.one('workspaces', () => this.#find.get(name), workspaceRow.read);
  }

  async list(): Promise<WorkspaceRecord[]> {
    if (this.#cache) return this.#cache;
    const read = this.rows.all('workspaces', () => this.#list.all(), workspaceRow.read);
    // A write that is undone leaves nothing in the cache.
    if (!this.db.inTransaction) this.#cache = read;
    return read;
  }

  /** Reads the workspaces again when they are needed, because they may have changed. */
  forget(): void {
    this.#cache = undefined;
  }

  async delete(name: string): Promise<void> {
    this.#delete.run(name);
    this.forget();
  }
}
