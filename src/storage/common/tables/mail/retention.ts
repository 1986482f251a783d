import type { ExpiredQuery } from '../../../../core/reads.js';
import type { Sql } from '../../sql.js';

/** Selects emails that are sent, delivered and parsed. */
const IS_DONE = `status <> 'scheduled' AND pending = 0
  AND NOT EXISTS (SELECT 1 FROM unparsed WHERE unparsed.seq = emails.seq)`;

/** Finds the emails that a server no longer keeps. */
export class RetentionQueries {
  readonly #total;
  readonly #totals;
  readonly #surplus;
  readonly #surplusOfNone;
  readonly #old;
  readonly #oldOf;

  constructor(private readonly sql: Sql) {
    this.#total = sql.prepare("SELECT coalesce(sum(count), 0) FROM email_counts WHERE field = 'status'");
    this.#totals = sql.prepare("SELECT value, sum(count) FROM email_counts WHERE field = 'workspace' GROUP BY value");
    const surplusOf = (condition: string) =>
      sql.prepare(
        `SELECT id FROM (SELECT * FROM emails WHERE ${condition} ORDER BY seq LIMIT @surplus) AS emails
           WHERE seq > @after AND ${IS_DONE} LIMIT @limit`,
      );
    this.#surplus = surplusOf('workspace = @workspace');
    this.#surplusOfNone = surplusOf('workspace IS NULL');
    const oldOf = (condition: string) =>
      sql.prepare(
        `SELECT id FROM emails WHERE captured_at < @before AND seq > @after AND ${condition} AND ${IS_DONE}
           ORDER BY captured_at LIMIT @limit`,
      );
    this.#old = oldOf(`NOT (workspace IS NOT NULL AND ${sql.dialect.among('workspace', '@own')})`);
    this.#oldOf = oldOf('workspace = @workspace');
  }

  async expired({ keep, capturedBefore, own = new Map(), after = 0, limit }: ExpiredQuery): Promise<string[]> {
    const kept = [keep, ...Array.from(own.values(), (limits) => limits.keep)];
    const ids = new Set(kept.every((each) => each === null) ? [] : await this.#surplusIds({ keep, own, after, limit }));
    const add = (found: readonly string[]) => {
      for (const id of found) ids.add(id);
    };
    if (capturedBefore !== null && ids.size < limit) {
      const values = { before: capturedBefore, after, limit, own: this.sql.list([...own.keys()]) };
      add(await this.#old.values<string>(values));
    }
    for (const [workspace, { capturedBefore: before }] of own) {
      if (before !== null && ids.size < limit)
        add(await this.#oldOf.values<string>({ before, after, limit, workspace }));
    }
    return [...ids].slice(0, limit);
  }

  /** Returns the oldest emails beyond the numbers to keep, of each workspace and of none. */
  async #surplusIds({ keep, own = new Map(), after, limit }: Surplus): Promise<string[]> {
    const totals = await this.#totals.tuples<[string, number]>();
    const inWorkspaces = totals.reduce((sum, [, total]) => sum + Number(total), 0);
    const ofNone = ((await this.#total.value<number>()) ?? 0) - inWorkspaces;
    const ids: string[] = [];
    if (keep !== null && ofNone > keep) {
      ids.push(...(await this.#surplusOfNone.values<string>({ surplus: ofNone - keep, after, limit })));
    }
    for (const [workspace, total] of totals) {
      const most = own.get(workspace)?.keep ?? keep;
      const surplus = most === null ? 0 : Number(total) - most;
      if (surplus <= 0 || ids.length >= limit) continue;
      ids.push(...(await this.#surplus.values<string>({ surplus, after, limit, workspace })));
    }
    return ids;
  }
}

type Surplus = Pick<ExpiredQuery, 'keep' | 'own' | 'limit'> & { after: number };
