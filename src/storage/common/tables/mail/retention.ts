import type { ExpiredQuery } from '../../../../core/reads.js';
import { type Statement, Statements } from '../../sql.js';

/** Selects emails that are sent, delivered and parsed. */
const IS_DONE = `status <> 'scheduled' AND pending = 0
  AND NOT EXISTS (SELECT 1 FROM unparsed WHERE unparsed.seq = emails.seq)`;

/** Finds the emails that a server no longer keeps. */
export class RetentionQueries extends Statements {
  readonly #total = this.sql.prepare("SELECT coalesce(sum(count), 0) FROM email_counts WHERE field = 'status'");
  readonly #totals = this.sql.prepare(
    "SELECT value, sum(count) FROM email_counts WHERE field = 'workspace' GROUP BY value",
  );
  readonly #surplus = this.#surplusOf('workspace = @workspace');
  readonly #surplusOfNone = this.#surplusOf('workspace IS NULL');
  readonly #old = this.#oldIf(`NOT (workspace IS NOT NULL AND ${this.among('workspace', '@own')})`);
  readonly #oldOf = this.#oldIf('workspace = @workspace');

  #surplusOf(condition: string): Statement {
    return this.sql.prepare(
      `SELECT id FROM (SELECT * FROM emails WHERE ${condition} ORDER BY seq LIMIT @surplus) AS emails
         WHERE seq > @after AND ${IS_DONE} LIMIT @limit`,
    );
  }

  #oldIf(condition: string): Statement {
    return this.sql.prepare(
      `SELECT id FROM emails WHERE captured_at < @before AND seq > @after AND ${condition} AND ${IS_DONE}
         ORDER BY captured_at LIMIT @limit`,
    );
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
