import type { Job, NewJob } from '../model.js';
import type { Transaction } from '../transaction.js';

/** Declares kinds of jobs and how they end: a kind returns its effect, and the pool writes it and ends the job. */

/** Writes what a job did. Returns what to call once that is on disk, if anything. */
export type JobEffect = (tx: Transaction) => Promise<(() => void) | void>;

/** A kind whose jobs are one piece of work each, described by their payload. */
export interface ItemKind {
  type: 'item';
  /**
   * Does what cannot be done in a transaction, and returns the effect to write when the job is completed. Returns
   * `deferred` when the job did not begin because the server is stopping; the next server runs it.
   */
  run(job: Job): Promise<JobEffect | 'deferred'>;
}

/** A kind whose jobs stand for whatever is due when they run. Their payload is empty. */
export interface SweepKind {
  type: 'sweep';
  /** Does one batch of what is due. */
  run(): Promise<void>;
  /** Returns whether the job must run again. */
  isLeft(tx: Transaction): Promise<boolean>;
}

export type JobKind = ItemKind | SweepKind;

/** A sweep without a job: it writes what is due in the commit that it follows from, so it has no time to wait for. */
export interface CommitSweep {
  start(): void;
  /** Writes what is due and waits for it. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs a job and returns what ends it, together with its effect. */
export async function runJob(kind: JobKind, job: Job): Promise<JobEffect | 'deferred'> {
  if (kind.type === 'sweep') {
    await kind.run();
    return (tx) => endSweep(tx, kind, job);
  }
  const effect = await kind.run(job);
  if (effect === 'deferred') return 'deferred';
  // The job is gone when its lease ran out and another process completed it, or when it was cancelled.
  return async (tx) => ((await tx.jobs.complete(job.seq)) ? effect(tx) : undefined);
}

/** Releases the job of a sweep for the next batch, which a stop or a burst of mail may defer, or completes it. */
async function endSweep(tx: Transaction, kind: SweepKind, { seq, runAt }: Job): Promise<void> {
  if (await kind.isLeft(tx)) await tx.jobs.reschedule(seq, runAt);
  else await tx.jobs.complete(seq);
}

/** Adds the job of a sweep, unless one that has not begun exists: it finds the new work too. */
export async function requestSweep<J extends NewJob>(tx: Transaction, kind: J['kind'], now: number): Promise<void> {
  if (await tx.jobs.hasDue(kind, now)) return;
  await tx.jobs.add({ kind, runAt: now, payload: {} });
}
