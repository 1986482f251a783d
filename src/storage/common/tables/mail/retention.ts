import type { ExpiredQuery, KeptEmails } from '../../../../core/reads.js';
import { type Statement, Statements } from '../../sql.js';

/** Selects emails that are sent, delivered and parsed. */
const IS_DONE = `status <> 'scheduled' AND pending = 0
  AND NOT EXISTS (SELECT 1 FROM unparsed WHERE unparsed.seq = emails.seq)`;

/** The number and the ID of an email. */
type Found = [seq: number, id: string];

/** Statements that return any emails to delete, and the first ones after a number. */
type Search = Record<'any' | 'first', Statement>;

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

  #surplusOf(condition: string): Search {
    const oldest = `SELECT seq FROM emails WHERE ${condition} ORDER BY seq LIMIT @surplus`;
    return {
      // Reads only until it has enough.
      any: this.sql.prepare(
        `SELECT seq, id FROM (SELECT * FROM emails WHERE ${condition} ORDER BY seq LIMIT @surplus) AS emails
           WHERE ${IS_DONE} LIMIT @limit`,
      ),
      first: this.sql.prepare(
        `SELECT seq, id FROM emails WHERE ${condition} AND seq > @after AND ${IS_DONE}
           AND seq <= (SELECT max(seq) FROM (${oldest}) AS oldest) ORDER BY seq LIMIT @limit`,
      ),
    };
  }

  #oldIf(condition: string): Search {
    const isOld = `captured_at < @before AND ${condition} AND ${IS_DONE}`;
    return {
      any: this.sql.prepare(`SELECT seq, id FROM emails WHERE ${isOld} ORDER BY captured_at LIMIT @limit`),
      // Emails have almost the order of their times: without the upper limit, the newer ones would be read for nothing.
      first: this.sql.prepare(
        `SELECT seq, id FROM emails WHERE seq > @after AND ${isOld} AND seq <= (SELECT max(seq) FROM (
           SELECT seq FROM emails WHERE captured_at < @before ORDER BY captured_at DESC LIMIT @limit) AS newest)
           ORDER BY seq LIMIT @limit`,
      ),
    };
  }

  async expired({ keep, capturedBefore, own = new Map(), after, limit }: ExpiredQuery): Promise<string[]> {
    const found = new Map<string, number>();
    const search = async ({ any, first }: Search, values: Record<string, unknown>) => {
      // The first emails after a number are among the first ones of each search.
      if (after === undefined && found.size >= limit) return;
      const some = await (after === undefined ? any : first).tuples<Found>({ ...values, limit, after: after ?? 0 });
      for (const [seq, id] of some) found.set(id, Number(seq));
    };
    const kept = [keep, ...Array.from(own.values(), (limits) => limits.keep)];
    if (kept.some((each) => each !== null)) {
      for (const { workspace, surplus } of await this.#surpluses(keep, own)) {
        await search(workspace === null ? this.#surplusOfNone : this.#surplus, { surplus, workspace });
      }
    }
    if (capturedBefore !== null) {
      await search(this.#old, { before: capturedBefore, own: this.sql.list([...own.keys()]) });
    }
    for (const [workspace, { capturedBefore: before }] of own) {
      if (before !== null) await search(this.#oldOf, { before, workspace });
    }
    const inOrder = [...found].sort(([, one], [, other]) => one - other);
    return inOrder.slice(0, limit).map(([id]) => id);
  }

  /** Returns by how many emails each workspace, and none, exceeds the number to keep. */
  async #surpluses(keep: number | null, own: ReadonlyMap<string, KeptEmails>) {
    const totals = (await this.#totals.tuples<[string, number]>()).map(
      ([name, total]) => [name, Number(total)] as const,
    );
    const inWorkspaces = totals.reduce((sum, [, total]) => sum + total, 0);
    const ofNone = ((await this.#total.value<number>()) ?? 0) - inWorkspaces;
    const all = [
      { workspace: null, total: ofNone, most: keep },
      ...totals.map(([workspace, total]) => ({ workspace, total, most: own.get(workspace)?.keep ?? keep })),
    ];
    return all
      .map(({ workspace, total, most }) => ({ workspace, surplus: most === null ? 0 : total - most }))
      .filter(({ surplus }) => surplus > 0);
  }
}
