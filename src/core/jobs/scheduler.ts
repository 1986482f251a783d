import type { Job } from '../model.js';
import { STORE_RETRY_MS, type Store } from '../store.js';
import type { CommitSweep } from './job-kinds.js';
import { JobPool, type JobPoolDeps, type JobPoolOptions } from './job-pool.js';

/**
 * Runs jobs when they are due. A job is claimed under a lease on the machine's time: the lease of a process that dies runs
 * out, and two processes on one database never run a job at once. A job ends in the transaction of its effects.
 */

/** How often to check whether another process has completed its job, because it sends no notification. */
const FOREIGN_JOB_MS = 20;

/** What the scheduler runs. */
export interface SchedulerWork {
  pools: readonly JobPoolOptions[];
  sweeps: readonly CommitSweep[];
}

export class Scheduler {
  readonly #pools: JobPool[];
  readonly #sweeps: readonly CommitSweep[];
  #cancelTimer = () => {};
  #unsubscribe = () => {};
  #onRun: (job: Job) => void = () => {};
  #arming = false;
  #stopped = false;

  constructor(
    private readonly deps: JobPoolDeps,
    { pools, sweeps }: SchedulerWork,
  ) {
    this.#sweeps = sweeps;
    this.#pools = pools.map(
      (options) => new JobPool(deps, options, { idle: () => this.#arm(), ran: (job) => this.#onRun(job) }),
    );
  }

  /** Does what is due, now and from now on. */
  start(): void {
    for (const sweep of this.#sweeps) sweep.start();
    // Before the commit, so that a job that is due at once is claimed in the commit that adds it.
    this.#unsubscribe = this.deps.store.beforeCommit(({ jobs }) => jobs && this.#kick());
    this.#kick();
  }

  /** Begins nothing more and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    this.#cancelTimer();
    await Promise.all(this.#sweeps.map((sweep) => sweep.stop()));
    await Promise.all(this.#pools.map((pool) => pool.stop()));
  }

  /** Does everything that is due, including jobs that are added by it, and waits for the effects. */
  async drain(): Promise<void> {
    do {
      await Promise.all(this.#pools.map((pool) => pool.drain()));
      await Promise.all(this.#sweeps.map((sweep) => sweep.drain()));
    } while (!this.#stopped && (await this.#isDue()));
  }

  /**
   * Moves time to an instant and stops at each job that is due before it, so that the job runs at its own time. This includes
   * jobs that these jobs add; a job that another process is running is waited for. Returns the number of jobs that ran, by
   * kind. The clock must be frozen meanwhile; `moveTo` sets it.
   */
  async advanceTo(instant: number, moveTo: (instant: number) => Promise<void>): Promise<Record<string, number>> {
    const { store, clock } = this.deps;
    const kinds = this.#pools.flatMap((pool) => pool.kindNames);
    const ran: Record<string, number> = {};
    this.#onRun = ({ kind }) => {
      ran[kind] = (ran[kind] ?? 0) + 1;
    };
    try {
      for (;;) {
        await this.drain();
        if (this.#stopped) throw new Error('The server is stopping.');
        const first = await store.read.jobs.first(kinds);
        const now = clock.now();
        if (first && first.runAt <= now) {
          const leaseMs = Math.max(0, first.leaseUntil - clock.systemNow());
          await clock.sleep(Math.min(leaseMs, FOREIGN_JOB_MS));
        } else if (now < instant) {
          await moveTo(Math.min(first?.runAt ?? instant, instant));
        } else {
          return ran;
        }
      }
    } finally {
      this.#onRun = () => {};
    }
  }

  #kick(): void {
    for (const pool of this.#pools) pool.kick();
  }

  async #isDue(): Promise<boolean> {
    const { dueAt } = await this.#next(this.#pools);
    return dueAt !== null && dueAt <= this.deps.clock.now();
  }

  #next(pools: JobPool[]): ReturnType<Store['read']['jobs']['next']> {
    const kinds = pools.flatMap((pool) => pool.kindNames);
    // The pool looks again when a job of a full queue ends.
    const full = pools.flatMap((pool) => pool.fullQueues);
    return this.deps.store.read.jobs.next(kinds, this.deps.clock.systemNow(), full);
  }

  /** Sets the one timer for the next job, or for the end of the next lease, whose job may have to be taken over. */
  #arm(): void {
    if (this.#arming || this.#stopped) return;
    this.#arming = true;
    const arm = async () => {
      // The others look again by themselves: a full pool when one of its jobs ends, a paused one when its gate is idle, one
      // that could not claim after a delay.
      const { dueAt, leaseEndsAt } = await this.#next(this.#pools.filter((pool) => pool.ready)).finally(() => {
        this.#arming = false;
      });
      this.#cancelTimer();
      if (this.#stopped || this.#pools.some((pool) => pool.busy)) return;
      const cancels: (() => void)[] = [];
      if (dueAt !== null) cancels.push(this.deps.clock.at(dueAt, () => this.#kick()));
      if (leaseEndsAt !== null) {
        cancels.push(this.deps.clock.after(Math.max(0, leaseEndsAt - this.deps.clock.systemNow()), () => this.#kick()));
      }
      this.#cancelTimer = () => {
        for (const cancel of cancels) cancel();
      };
    };
    void arm().catch((error: unknown) => {
      this.deps.onInternalError(error);
      this.#cancelTimer = this.deps.clock.after(STORE_RETRY_MS, () => this.#kick());
    });
  }
}
