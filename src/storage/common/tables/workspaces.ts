import type { WorkspaceRecord } from '../../../core/model/resources.js';
import type { SentCount } from '../changes.js';
import { instant, instantOrNull, integerOrNull, list, text } from '../rows/column-kinds.js';
import { RowMapping } from '../rows/mapping.js';
import { ObservedTable } from '../sql.js';

export const workspaceRow = new RowMapping<WorkspaceRecord>({
  name: text('name'),
  addresses: list('addresses'),
  expiresAt: instantOrNull('expires_at'),
  keep: integerOrNull('keep', 1),
  maxAgeMs: integerOrNull('max_age_ms', 1),
  monthlyQuota: integerOrNull('monthly_quota', 0),
  createdAt: instant('created_at'),
});

/** Maximum of a stored count. Without it, a damaged one could overflow. */
const SENT_MAX = 1_000_000_000;

const STORED = `CASE WHEN monthly_sent.sent BETWEEN 0 AND ${SENT_MAX} THEN monthly_sent.sent ELSE ${SENT_MAX} END`;

/** Stores workspaces, and the number of recipients that their emails were sent to in each month. */
export class WorkspaceTable extends ObservedTable {
  readonly #insert = this.sql.prepare(`INSERT INTO workspaces ${workspaceRow.into()}`);
  readonly #find = this.sql.preparePolicy('SELECT * FROM workspaces WHERE name = ? AND ended = 0');
  readonly #list = this.sql.prepare('SELECT * FROM workspaces WHERE ended = 0 ORDER BY seq');
  readonly #limit = this.sql.prepare(
    'UPDATE workspaces SET keep = ?, max_age_ms = ?, monthly_quota = ? WHERE name = ?',
  );
  readonly #end = this.sql.prepare('UPDATE workspaces SET ended = 1 WHERE name = ?');
  readonly #ended = this.sql.prepare('SELECT name FROM workspaces WHERE ended = 1');
  readonly #deleteEnded = this.sql.prepare('DELETE FROM workspaces WHERE name = ? AND ended = 1');
  readonly #sent = this.sql.prepare(`SELECT ${STORED} FROM monthly_sent WHERE workspace = ? AND month = ?`);
  readonly #addSent = this.sql.prepare(
    `INSERT INTO monthly_sent (workspace, month, sent) VALUES (?, ?, ?)
       ON CONFLICT (workspace, month) DO UPDATE SET sent = ${STORED} + excluded.sent`,
  );
  readonly #deleteSent = this.sql.prepare('DELETE FROM monthly_sent WHERE workspace = ?');
  /** The workspaces as of the start of the last commit. Every message looks for its owner among them. */
  #cache: WorkspaceRecord[] | undefined;

  async insert(workspace: WorkspaceRecord): Promise<void> {
    this.#insert.send(...workspaceRow.values(workspace));
    this.forget();
  }

  async limit(
    name: string,
    { keep, maxAgeMs, monthlyQuota }: Pick<WorkspaceRecord, 'keep' | 'maxAgeMs' | 'monthlyQuota'>,
  ): Promise<void> {
    this.#limit.send(keep, maxAgeMs, monthlyQuota, name);
    this.changes().settings += 1;
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

  async deleteEnded(name: string): Promise<void> {
    if ((await this.#deleteEnded.run(name)) === 0) return;
    this.#deleteSent.send(name);
    this.forget();
  }

  /** Returns the recipients of a month that emails were sent to. Inside a transaction they include its own. */
  async sent(workspace: string | null, month: number): Promise<number> {
    const own = this.changes().sent.filter((each) => each.workspace === workspace && each.month === month);
    return ((await this.#sent.value<number>(workspace ?? '', month)) ?? 0) + own.length;
  }

  async countSent(workspace: string | null, month: number): Promise<void> {
    this.changes().sent.push({ workspace, month });
  }

  /** Writes the counts of a commit at the end of its transaction. */
  writeSent(counts: readonly SentCount[]): void {
    const sums = new Map<string, SentCount & { sent: number }>();
    for (const count of counts) {
      const key = `${count.month} ${count.workspace ?? ''}`;
      const sum = sums.get(key) ?? { ...count, sent: 0 };
      sum.sent += 1;
      sums.set(key, sum);
    }
    for (const { workspace, month, sent } of sums.values()) this.#addSent.send(workspace ?? '', month, sent);
  }
}
