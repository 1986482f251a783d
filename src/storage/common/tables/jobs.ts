import { INSTANT_MIN } from '../../../contract/vocabulary/instants.js';
import type { Job, NewJob } from '../../../core/model/jobs.js';
import { LEASE_MAX_MS } from '../../../core/store.js';
import type { JobClaim } from '../../../core/transaction.js';
import { ANY_JOB_KIND } from '../changes.js';
import { memoized } from '../listeners.js';
import type { Columns } from '../rows/columns.js';
import { json } from '../rows/columns.js';
import { ObservedTable, type Sql, type Statement } from '../sql.js';

/** Stores jobs to run later. A claimed job has the end of its lease, a failed one its error. */
export class JobTable extends ObservedTable {
  readonly #add = this.sql.prepare('INSERT INTO jobs (kind, queue, run_at, payload) VALUES (?, ?, ?, ?)');
  readonly #hasDue = this.sql.prepare(
    'SELECT 1 FROM jobs WHERE error IS NULL AND lease_until = 0 AND kind = ? AND run_at <= ? LIMIT 1',
  );
  readonly #lease = this.sql.prepare('UPDATE jobs SET lease_until = ? WHERE seq = ?');
  readonly #complete = this.sql.prepare('DELETE FROM jobs WHERE seq = ?');
  readonly #setLease = this.sql.prepare('UPDATE jobs SET lease_until = ? WHERE seq = ? AND lease_until = ?');
  readonly #reschedule = this.sql.prepare('UPDATE jobs SET run_at = ?, lease_until = 0 WHERE seq = ?');
  readonly #fail = this.sql.prepare('UPDATE jobs SET error = ?, lease_until = 0 WHERE seq = ?');
  readonly #cancelPending = this.sql.prepare(
    `DELETE FROM jobs WHERE error IS NULL AND ${this.among('kind')}
       AND ${this.#field('emailId')} = ? AND ${this.#field('mailbox')} = ?`,
  );
  readonly #shift = this.sql.prepare('UPDATE jobs SET run_at = run_at + ? WHERE error IS NULL AND kind = ?');
  readonly #dueByMailbox = this.sql.prepare(
    `SELECT ${this.#field('mailbox')}, min(run_at) FROM jobs
     WHERE error IS NULL AND lease_until = 0 AND kind = ? AND ${this.#field('emailId')} = ? GROUP BY 1`,
  );
  /** Queries by the kinds of jobs they select. Each pool always selects the same kinds. */
  readonly #queries = new Map<string, KindQueries>();

  async add({ kind, queue = '', runAt, payload }: NewJob): Promise<void> {
    this.#add.send(kind, queue, runAt, json(payload));
    this.#announce(kind);
  }

  async hasDue(kind: string, now: number): Promise<boolean> {
    return (await this.#hasDue.value(kind, now)) !== undefined;
  }

  async claim({ now, systemNow, leaseUntil, limit, kinds, perQueue }: JobClaim): Promise<Job[]> {
    const running = new Map(perQueue?.running);
    const isFull = (queue: string) => perQueue !== undefined && (running.get(queue) ?? 0) >= perQueue.limit;
    const queries = this.#queriesFor(kinds);
    const full = [...running.keys()].filter(isFull);
    // More jobs of a long queue would be read for nothing. The caller claims again until it gets none.
    const most = Math.min(limit, perQueue?.limit ?? limit);
    const due = await this.rows.all('jobs', () => queries.due({ now, systemNow, limit: most, full }), readJob);
    const inOrder = due.sort((one, other) => one.runAt - other.runAt || one.seq - other.seq).slice(0, limit);
    const claimed = inOrder.filter(({ queue }) => {
      if (isFull(queue)) return false;
      running.set(queue, (running.get(queue) ?? 0) + 1);
      return true;
    });
    for (const { seq } of claimed) this.#lease.send(leaseUntil, seq);
    return claimed;
  }

  async complete(seq: number): Promise<boolean> {
    return (await this.#complete.run(seq)) > 0;
  }

  async cancelPending(kinds: readonly string[], emailId: string, mailbox: string): Promise<void> {
    this.#cancelPending.send(this.sql.list(kinds), emailId, mailbox);
  }

  async dueByMailbox(kind: string, emailId: string): Promise<Map<string, number>> {
    return new Map(await this.#dueByMailbox.tuples<[string, number]>(kind, emailId));
  }

  async shift(kind: string, by: number): Promise<void> {
    if ((await this.#shift.run(by, kind)) > 0) this.#announce(kind);
  }

  async release(seq: number, leaseUntil: number): Promise<void> {
    if ((await this.#setLease.run(0, seq, leaseUntil)) > 0) this.#announce();
  }

  async renew(seq: number, leaseUntil: number, until: number): Promise<boolean> {
    return (await this.#setLease.run(until, seq, leaseUntil)) > 0;
  }

  async reschedule(seq: number, runAt: number): Promise<void> {
    this.#reschedule.send(runAt, seq);
    this.#announce();
  }

  async fail(seq: number, error: string): Promise<void> {
    this.#fail.send(error, seq);
  }

  async next(
    kinds: readonly string[],
    systemNow: number,
    fullQueues: readonly string[] = [],
  ): Promise<{ dueAt: number | null; leaseEndsAt: number | null }> {
    return this.#queriesFor(kinds).next(systemNow, fullQueues);
  }

  async first(kinds: readonly string[]): Promise<{ runAt: number; leaseUntil: number } | undefined> {
    const first = await this.#queriesFor(kinds).first.tuple<[number, number]>();
    return first && { runAt: first[0], leaseUntil: first[1] };
  }

  async countDue(kinds: readonly string[], now: number): Promise<number> {
    return (await this.#queriesFor(kinds).countDue.value<number>({ now })) ?? 0;
  }

  #field(name: string): string {
    return this.sql.dialect.jsonField('payload', name);
  }

  /** Makes the scheduler look for due jobs after this commit. */
  #announce(kind = ANY_JOB_KIND): void {
    this.changes().jobs.push(kind);
  }

  #queriesFor(kinds: readonly string[]): KindQueries {
    return memoized(this.#queries, kinds.join(), () => prepareQueries(this.sql, kinds));
  }
}

/** Reads all columns of a row of `jobs`. */
export function readWholeJob(row: Columns): Job {
  row.integer('lease_until', 0);
  return readJob(row);
}

/** Checks the columns, but not whether the payload is that of the kind. */
function readJob(row: Columns): Job {
  return {
    seq: row.key('seq'),
    kind: row.text('kind'),
    queue: row.text('queue'),
    runAt: row.integer('run_at', INSTANT_MIN),
    payload: row.json('payload'),
  } as Job;
}

type KindQueries = ReturnType<typeof prepareQueries>;

/**
 * Prepares queries with one index search per kind among unclaimed jobs, and one among claimed jobs, of which few exist.
 * No query scans waiting jobs.
 */
function prepareQueries(sql: Sql, kinds: readonly string[]) {
  const quoted = kinds.map((kind) => `'${kind.replaceAll("'", "''")}'`);
  const unclaimed = quoted.map((kind) => `error IS NULL AND lease_until = 0 AND kind = ${kind}`);
  // No kinds select no jobs: the list of an IN must not be empty in every engine.
  const leased = `error IS NULL AND lease_until > 0 AND kind IN (${quoted.length > 0 ? quoted : 'NULL'})`;
  const isOut = `(lease_until <= @systemNow OR lease_until > @systemNow + ${LEASE_MAX_MS})`;
  const expired = `${leased} AND ${isOut}`;
  const inAnyQueue = prepareDue(sql, unclaimed, expired);
  const inQueueWithRoom = prepareDueWithRoom(sql, unclaimed, expired);
  const queriesFor = (full: readonly string[]) => (full.length === 0 ? inAnyQueue : inQueueWithRoom);

  const leaseEndsAt = sql.prepare(`SELECT min(lease_until) FROM jobs WHERE ${leased} AND NOT ${isOut}`);
  const first = [...unclaimed, leased].map(
    (selected) => `SELECT * FROM (SELECT seq, run_at, lease_until FROM jobs
      WHERE ${selected} ORDER BY run_at, seq LIMIT 1) AS jobs`,
  );
  const due = [...unclaimed, leased].map((selected) => `SELECT seq FROM jobs WHERE ${selected} AND run_at <= @now`);
  return {
    countDue: sql.prepare(`SELECT count(*) FROM (${due.join(' UNION ALL ')}) AS due`),
    async due({ full, ...values }: { now: number; systemNow: number; limit: number; full: readonly string[] }) {
      const rows = queriesFor(full).due.map((query) => query.all({ ...values, full: sql.list(full) }));
      return (await Promise.all(rows)).flat();
    },
    async next(systemNow: number, full: readonly string[]) {
      const named = { systemNow, full: sql.list(full) };
      const instants = await Promise.all(queriesFor(full).dueAt.map((query) => query.value<number | null>(named)));
      const known = instants.filter((instant) => typeof instant === 'number');
      return {
        dueAt: known.length === 0 ? null : Math.min(...known),
        leaseEndsAt: (await leaseEndsAt.value<number | null>(named)) ?? null,
      };
    },
    first: sql.prepare(
      `SELECT run_at, lease_until FROM (${first.join(' UNION ALL ')}) AS first ORDER BY run_at, seq LIMIT 1`,
    ),
  };
}

type DueQueries = Record<'due' | 'dueAt', Statement[]>;

const COLUMNS = 'seq, kind, queue, run_at, payload';

/** Prepares queries for jobs that can be claimed: `unclaimed` selects those of each kind, `expired` those of all kinds. */
function prepareDue(sql: Sql, unclaimed: readonly string[], expired: string): DueQueries {
  const { skipLocked, least } = sql.dialect;
  return {
    due: [
      ...unclaimed.map(
        (selected) => `SELECT ${COLUMNS} FROM jobs WHERE ${selected} AND run_at <= @now
          ORDER BY run_at, seq LIMIT @limit${skipLocked}`,
      ),
      `SELECT ${COLUMNS} FROM jobs WHERE ${expired} AND run_at <= @now${skipLocked}`,
    ].map((text) => sql.prepare(text)),
    dueAt: least([
      ...unclaimed.map((selected) => `SELECT run_at FROM jobs WHERE ${selected} ORDER BY run_at LIMIT 1`),
      `SELECT min(run_at) FROM jobs WHERE ${expired}`,
    ]).map((text) => sql.prepare(text)),
  };
}

/**
 * Prepares the same for queues that are not `@full`: each query returns the first job of each queue. It steps from queue
 * to queue, because a full queue can have thousands of waiting jobs.
 */
function prepareDueWithRoom(sql: Sql, unclaimed: readonly string[], expired: string): DueQueries {
  const { skipLocked, among, least } = sql.dialect;
  const hasRoom = (queue: string) => `NOT (${among(queue, '@full')})`;
  const queued = unclaimed.map((selected) => `${selected} AND queue <> ''`);
  const queues = (selected: string) => `WITH RECURSIVE queues (name) AS (
      SELECT * FROM (SELECT queue FROM jobs WHERE ${selected} ORDER BY queue LIMIT 1) AS first
      UNION ALL
      SELECT (SELECT queue FROM jobs WHERE ${selected} AND queue > name ORDER BY queue LIMIT 1)
      FROM queues WHERE name IS NOT NULL
    )`;
  const firstOfEach = (column: string, selected: string) =>
    `SELECT (SELECT ${column} FROM jobs WHERE ${selected} AND queue = name ORDER BY run_at, seq LIMIT 1) AS ${column}
     FROM queues WHERE name IS NOT NULL AND ${hasRoom('name')}`;
  return {
    due: [
      ...queued.map(
        (selected) => `${queues(selected)} SELECT ${COLUMNS} FROM jobs
          WHERE ${selected} AND seq IN (${firstOfEach('seq', selected)}) AND run_at <= @now ORDER BY run_at, seq LIMIT @limit${skipLocked}`,
      ),
      `SELECT ${COLUMNS} FROM jobs WHERE ${expired} AND ${hasRoom('queue')} AND run_at <= @now${skipLocked}`,
    ].map((text) => sql.prepare(text)),
    dueAt: least([
      ...queued.map(
        (selected) => `${queues(selected)} SELECT min(run_at) FROM (${firstOfEach('run_at', selected)}) AS f`,
      ),
      `SELECT min(run_at) FROM jobs WHERE ${expired} AND ${hasRoom('queue')}`,
    ]).map((text) => sql.prepare(text)),
  };
}
