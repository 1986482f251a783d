import type Database from 'better-sqlite3';
import { INSTANT_MIN } from '../../../contract/vocabulary/instant-bounds.js';
import type { Job, NewJob } from '../../../core/model/jobs.js';
import { LEASE_MAX_MS } from '../../../core/store.js';
import type { JobClaim } from '../../../core/transaction.js';
import type { CurrentChanges } from '../changes.js';
import { memoized } from '../memoized.js';
import type { Columns } from '../rows/columns.js';
import type { RowReader } from '../rows/reader.js';
import { RowQuery } from '../rows/row-query.js';
import { json } from '../rows/rows.js';

/** Stores jobs to run later. A claimed job has the end of its lease, a failed one its error. */
export class JobTable {
  readonly #add;
  readonly #hasDue;
  readonly #lease;
  readonly #complete;
  readonly #release;
  readonly #reschedule;
  readonly #fail;
  readonly #cancelPending;
  readonly #shift;
  readonly #dueByMailbox;
  /** Queries by the kinds of jobs they select. Each pool always selects the same kinds. */
  readonly #queries = new Map<string, KindQueries>();

  constructor(
    private readonly db: Database.Database,
    private readonly rows: RowReader,
    private readonly changes: CurrentChanges,
  ) {
    this.#add = db.prepare('INSERT INTO jobs (kind, queue, run_at, payload) VALUES (?, ?, ?, ?)');
    this.#hasDue = db.prepare(
      'SELECT 1 FROM jobs WHERE error IS NULL AND lease_until = 0 AND kind = ? AND run_at <= ? LIMIT 1',
    );
    this.#lease = db.prepare('UPDATE jobs SET lease_until = ? WHERE seq = ?');
    this.#complete = db.prepare('DELETE FROM jobs WHERE seq = ?');
    this.#release = db.prepare('UPDATE jobs SET lease_until = 0 WHERE seq = ? AND lease_until = ?');
    this.#reschedule = db.prepare('UPDATE jobs SET run_at = ?, lease_until = 0 WHERE seq = ?');
    this.#fail = db.prepare('UPDATE jobs SET error = ?, lease_until = 0 WHERE seq = ?');
    this.#dueByMailbox = db
      .prepare(
        `SELECT payload ->> 'mailbox', min(run_at) FROM jobs
         WHERE error IS NULL AND lease_until = 0 AND kind = ?
           AND CASE WHEN json_valid(payload) THEN payload ->> 'emailId' = ? END
         GROUP BY 1`,
      )
      .raw();
    this.#shift = db.prepare('UPDATE jobs SET run_at = run_at + ? WHERE error IS NULL AND kind = ?');
    this.#cancelPending = db.prepare(
      `DELETE FROM jobs WHERE error IS NULL AND kind IN (SELECT value FROM json_each(?))
         AND CASE WHEN json_valid(payload) THEN payload ->> 'emailId' = ? AND payload ->> 'mailbox' = ? END`,
    );
  }

  async add({ kind, queue = '', runAt, payload }: NewJob): Promise<void> {
    this.#add.run(kind, queue, runAt, json(payload));
    this.#announce();
  }

  async hasDue(kind: string, now: number): Promise<boolean> {
    return this.#hasDue.get(kind, now) !== undefined;
  }

  async claim({ now, systemNow, leaseUntil, limit, kinds, perQueue }: JobClaim): Promise<Job[]> {
    const running = new Map(perQueue?.running);
    const isFull = (queue: string) => perQueue !== undefined && (running.get(queue) ?? 0) >= perQueue.limit;
    const queries = this.#queriesFor(kinds);
    const full = [...running.keys()].filter(isFull);
    const due = this.rows.all('jobs', () => queries.due({ now, systemNow, limit, full }), readJob);
    const inOrder = due.sort((one, other) => one.runAt - other.runAt || one.seq - other.seq).slice(0, limit);
    const claimed = inOrder.filter(({ queue }) => {
      if (isFull(queue)) return false;
      running.set(queue, (running.get(queue) ?? 0) + 1);
      return true;
    });
    for (const { seq } of claimed) this.#lease.run(leaseUntil, seq);
    return claimed;
  }

  async complete(seq: number): Promise<boolean> {
    return this.#complete.run(seq).changes > 0;
  }

  async cancelPending(kinds: readonly string[], emailId: string, mailbox: string): Promise<void> {
    this.#cancelPending.run(json(kinds), emailId, mailbox);
  }

  async dueByMailbox(kind: string, emailId: string): Promise<Map<string, number>> {
    return new Map(this.#dueByMailbox.all(kind, emailId) as [string, number][]);
  }

  async shift(kind: string, by: number): Promise<void> {
    if (this.#shift.run(by, kind).changes > 0) this.#announce();
  }

  async release(seq: number, leaseUntil: number): Promise<void> {
    if (this.#release.run(seq, leaseUntil).changes > 0) this.#announce();
  }

  async reschedule(seq: number, runAt: number): Promise<void> {
    this.#reschedule.run(runAt, seq);
    this.#announce();
  }

  async fail(seq: number, error: string): Promise<void> {
    this.#fail.run(error, seq);
  }

  async next(
    kinds: readonly string[],
    systemNow: number,
    fullQueues: readonly string[] = [],
  ): Promise<{ dueAt: number | null; leaseEndsAt: number | null }> {
    return this.#queriesFor(kinds).next(systemNow, fullQueues);
  }

  async first(kinds: readonly string[]): Promise<{ runAt: number; leaseUntil: number } | undefined> {
    return this.#queriesFor(kinds).first.get() as { runAt: number; leaseUntil: number } | undefined;
  }

  /** Makes the scheduler look for due jobs after this commit. */
  #announce(): void {
    this.changes().jobs += 1;
  }

  #queriesFor(kinds: readonly string[]): KindQueries {
    return memoized(this.#queries, kinds.join(), () => prepareQueries(this.db, kinds));
  }
}

/** Reads all columns of a row of `jobs`. */
export function readWholeJob(row: Columns): Job {
  row.integer('lease_until', 0);
  return readJob(row);
}

function readJob(row: Columns): Job {
  return {
    seq: row.key('seq'),
    kind: row.text('kind'),
    queue: row.text('queue'),
    runAt: row.integer('run_at', INSTANT_MIN),
    payload: row.json('payload'),
  };
}

type KindQueries = ReturnType<typeof prepareQueries>;

/**
 * Prepares queries with one index search per kind among unclaimed jobs, and one among claimed jobs, of which few exist.
 * No query scans waiting jobs. Each is a statement of its own: a UNION of them takes SQLite ten times as long.
 */
function prepareQueries(db: Database.Database, kinds: readonly string[]) {
  const quoted = kinds.map((kind) => `'${kind.replaceAll("'", "''")}'`);
  const unclaimed = quoted.map((kind) => `error IS NULL AND lease_until = 0 AND kind = ${kind}`);
  const leased = `error IS NULL AND lease_until > 0 AND kind IN (${quoted})`;
  const isOut = `(lease_until <= @systemNow OR lease_until > @systemNow + ${LEASE_MAX_MS})`;
  const inAnyQueue = prepareDue(db, unclaimed, `${leased} AND ${isOut}`);
  const room = ' AND queue NOT IN (SELECT value FROM json_each(@full))';
  const inQueueWithRoom = prepareDue(db, unclaimed, `${leased} AND ${isOut}`, room);
  const queriesFor = (full: readonly string[]) => (full.length === 0 ? inAnyQueue : inQueueWithRoom);

  const leaseEndsAt = db
    .prepare<[object], number | null>(`SELECT min(lease_until) FROM jobs WHERE ${leased} AND NOT ${isOut}`)
    .pluck();
  const first = [...unclaimed, leased].map(
    (selected) => `SELECT * FROM (SELECT seq, run_at AS runAt, lease_until AS leaseUntil FROM jobs
      WHERE ${selected} ORDER BY run_at, seq LIMIT 1)`,
  );
  return {
    due({ full, ...values }: { now: number; systemNow: number; limit: number; full: readonly string[] }): Columns[] {
      const named = { ...values, full: json(full) };
      return queriesFor(full).due.flatMap((query) => query.all(named));
    },
    next(systemNow: number, full: readonly string[]): { dueAt: number | null; leaseEndsAt: number | null } {
      const named = { systemNow, full: json(full) };
      const instants = queriesFor(full).dueAt.flatMap((query) => query.get(named) ?? []);
      return {
        dueAt: instants.length === 0 ? null : Math.min(...instants),
        leaseEndsAt: leaseEndsAt.get(named) ?? null,
      };
    },
    first: db.prepare(`SELECT runAt, leaseUntil FROM (${first.join(' UNION ALL ')}) ORDER BY runAt, seq LIMIT 1`),
  };
}

/** Prepares queries for jobs that can be claimed: `unclaimed` selects those of each kind, `expired` those of all kinds. */
function prepareDue(db: Database.Database, unclaimed: readonly string[], expired: string, room = '') {
  const columns = 'seq, kind, queue, run_at, payload';
  return {
    due: [
      ...unclaimed.map(
        (selected) => `SELECT ${columns} FROM jobs WHERE ${selected}${room} AND run_at <= @now
          ORDER BY run_at, seq LIMIT @limit`,
      ),
      `SELECT ${columns} FROM jobs WHERE ${expired}${room} AND run_at <= @now`,
    ].map((sql) => new RowQuery(db, sql)),
    dueAt: [
      ...unclaimed.map((selected) => `SELECT run_at FROM jobs WHERE ${selected}${room} ORDER BY run_at LIMIT 1`),
      `SELECT min(run_at) FROM jobs WHERE ${expired}${room}`,
    ].map((sql) => db.prepare<[object], number | null>(sql).pluck()),
  };
}
