import type Database from 'better-sqlite3';
import type { Job, NewJob } from '../../core/model.js';
import type { JobClaim } from '../../core/ports.js';
import { json, parseJson } from './rows.js';

/** Work to be done later. A claimed job carries the end of its lease; a failed one its error. */
export class JobTable {
  readonly #add;
  readonly #due;
  readonly #lease;
  readonly #complete;
  readonly #reschedule;
  readonly #fail;
  readonly #dueAt;
  readonly #leaseEndsAt;
  readonly #pending;
  readonly #first;
  readonly #callOff;

  constructor(
    db: Database.Database,
    private readonly added: () => void,
  ) {
    const ofKinds = 'kind IN (SELECT value FROM json_each(?))';
    this.#add = db.prepare('INSERT INTO jobs (kind, run_at, payload) VALUES (?, ?, ?)');
    this.#due = db.prepare(
      `SELECT seq, kind, run_at AS runAt, payload FROM jobs
       WHERE error IS NULL AND run_at <= ? AND lease_until <= ? AND ${ofKinds} ORDER BY run_at, seq LIMIT ?`,
    );
    this.#lease = db.prepare('UPDATE jobs SET lease_until = ? WHERE seq = ?');
    this.#complete = db.prepare('DELETE FROM jobs WHERE seq = ?');
    this.#reschedule = db.prepare('UPDATE jobs SET run_at = ?, lease_until = 0 WHERE seq = ?');
    this.#fail = db.prepare('UPDATE jobs SET error = ?, lease_until = 0 WHERE seq = ?');
    this.#dueAt = db
      .prepare(
        `SELECT run_at FROM jobs WHERE error IS NULL AND lease_until <= ? AND ${ofKinds} ORDER BY run_at LIMIT 1`,
      )
      .pluck();
    this.#leaseEndsAt = db
      .prepare(`SELECT min(lease_until) FROM jobs WHERE error IS NULL AND lease_until > ? AND ${ofKinds}`)
      .pluck();
    this.#first = db.prepare(
      `SELECT run_at AS runAt, lease_until AS leaseUntil FROM jobs WHERE error IS NULL AND ${ofKinds}
       ORDER BY run_at, seq LIMIT 1`,
    );
    this.#callOff = db.prepare(
      `DELETE FROM jobs WHERE error IS NULL AND ${ofKinds} AND payload ->> 'emailId' = ? AND payload ->> 'mailbox' = ?`,
    );
    this.#pending = db.prepare('SELECT count(*) FROM jobs WHERE error IS NULL').pluck();
  }

  async add({ kind, runAt, payload }: NewJob): Promise<void> {
    this.#add.run(kind, runAt, json(payload));
    this.added();
  }

  async claim({ now, systemNow, leaseUntil, limit, kinds }: JobClaim): Promise<Job[]> {
    const rows = this.#due.all(now, systemNow, json(kinds), limit) as (Omit<Job, 'payload'> & { payload: string })[];
    for (const { seq } of rows) this.#lease.run(leaseUntil, seq);
    return rows.map((row) => ({ ...row, payload: parseJson(row.payload) }));
  }

  async complete(seq: number): Promise<boolean> {
    return this.#complete.run(seq).changes > 0;
  }

  async callOff(kinds: readonly string[], emailId: string, mailbox: string): Promise<void> {
    this.#callOff.run(json(kinds), emailId, mailbox);
  }

  async reschedule(seq: number, runAt: number): Promise<void> {
    this.#reschedule.run(runAt, seq);
    this.added();
  }

  async fail(seq: number, error: string): Promise<void> {
    this.#fail.run(error, seq);
  }

  async next(
    kinds: readonly string[],
    systemNow: number,
  ): Promise<{ dueAt: number | null; leaseEndsAt: number | null }> {
    const dueAt = this.#dueAt.get(systemNow, json(kinds)) as number | undefined;
    const leaseEndsAt = this.#leaseEndsAt.get(systemNow, json(kinds)) as number | null;
    return { dueAt: dueAt ?? null, leaseEndsAt };
  }

  async first(kinds: readonly string[]): Promise<{ runAt: number; leaseUntil: number } | undefined> {
    return this.#first.get(json(kinds)) as { runAt: number; leaseUntil: number } | undefined;
  }

  async pending(): Promise<number> {
    return this.#pending.get() as number;
  }
}
