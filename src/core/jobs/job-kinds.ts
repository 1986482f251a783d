import type { Job, KindName } from '../model/jobs.js';
import type { Transaction } from '../transaction.js';

/**
 * Defines kinds of jobs and how they end: a kind returns its effect, and the pool writes the effect and completes the
 * job.
 */

/** Writes the effect of a job. Returns a function to call once the effect is on disk, if any. */
export type JobEffect = (tx: Transaction) => Promise<(() => void) | void>;

/** A kind of job that does one piece of work, described by its payload. */
export interface ItemKind<Name extends KindName = KindName> {
  type: 'item';
  /**
   * Does the work that cannot be done in a transaction, and returns the effect to write when the job completes. Returns
   * `deferred` if it did not start because the server is stopping. The next server then runs it.
   */
  run(job: Job<Name>): Promise<JobEffect | 'deferred'>;
  /**
   * Set if `run` must not be repeated, for example because it sends mail. While its effect cannot be stored, only the
   * write is repeated (default: the job runs again).
   */
  runsOnce?: boolean;
}

/** A kind of job that processes everything that is due when it runs. Its payload is empty. */
export interface SweepKind {
  type: 'sweep';
  /** Processes one batch. Returns when the job must run again; null if no work is left. */
  run(tx: Transaction, job: Job): Promise<number | null>;
}

export type JobKind<Name extends KindName = KindName> = ItemKind<Name> | SweepKind;

/** Some kinds of jobs by name. Each gets jobs with its own payload. */
export type JobKinds = { readonly [Name in KindName]?: JobKind<Name> };

/** Work without a job: it is done in the commit that causes it, so nothing has to be scheduled. */
export interface CommitSweep {
  start(): void;
  /** Does the work that is due and waits for it. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs a job. Returns the function that writes its effect and completes it. */
export async function runJob(kind: JobKind, job: Job): Promise<JobEffect | 'deferred'> {
  if (kind.type === 'sweep') return (tx) => runSweep(tx, kind, job);
  const effect = await kind.run(job);
  if (effect === 'deferred') return 'deferred';
  // `complete` returns false if the job was cancelled, or if its lease expired and another process completed it.
  return async (tx) => ((await tx.jobs.complete(job.seq)) ? effect(tx) : undefined);
}

/**
 * Processes a batch, and completes the job of the sweep or releases it for the next batch. A stop or a burst of messages
 * may defer that one.
 */
async function runSweep(tx: Transaction, kind: SweepKind, job: Job): Promise<void> {
  const next = await kind.run(tx, job);
  if (next === null || (await tx.jobs.hasDue(job.kind, next))) await tx.jobs.complete(job.seq);
  else await tx.jobs.reschedule(job.seq, next);
}
