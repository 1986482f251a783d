import type { Job, KindName } from '../model/jobs.js';
import { STORE_RETRY_MS, type Store } from '../store.js';
import type { CommitSweep } from './job-kinds.js';
import { JobPool, type JobPoolDeps, type JobPoolOptions } from './job-pool.js';
import { latestEnd, type UnderWay } from './under-way.js';

/**
 * Runs jobs when they are due. Jobs are claimed under leases in system time: if a process dies, its leases expire, and
 * two processes on one database never run the same job at once. A job completes in the transaction that writes its
 * effect.
 */

/** Interval of checks whether another process has completed its job, because that sends no notification. */
const FOREIGN_JOB_MS = 20;
/** Milliseconds from a commit of another process with jobs to the next look at them. Commits in between share one look. */
const FOREIGN_COMMIT_MS = 100;

/** What moving the clock has done. */
export interface TimeTravelResult {
  /** Number of jobs that ran, by kind. */
  ran: Record<string, number>;
  /** Number of webhook attempts that ended as timed out because the new time had passed their limit. */
  cutShort: number;
}

/** The work of the scheduler. */
export interface SchedulerWork {
  pools: readonly JobPoolOptions[];
  sweeps: readonly CommitSweep[];
}

export class Scheduler {
  readonly #pools: JobPool[];
  readonly #sweeps: readonly CommitSweep[];
  #cancelTimer = () => {};
  #unsubscribe = () => {};
  #cancelLook: (() => void) | undefined;
  #onRun: (job: Job) => void = () => {};
  /** Number of jobs that have run. */
  #ran = 0;
  #arming: Promise<void> | undefined;
  #armAgain = false;
  #stopped = false;

  constructor(
    private readonly deps: JobPoolDeps,
    { pools, sweeps }: SchedulerWork,
  ) {
    this.#sweeps = sweeps;
    const ran = (job: Job) => {
      this.#ran += 1;
      this.#onRun(job);
    };
    this.#pools = pools.map((options) => new JobPool(deps, options, { idle: () => this.#arm(), ran }));
  }

  /** Runs due jobs, now and whenever more become due. */
  start(): void {
    for (const sweep of this.#sweeps) sweep.start();
    // Called before the commit, so that a job that is due at once is claimed in the commit that adds it.
    const ends = [
      this.deps.store.beforeCommit(({ jobs, jobKinds }) => jobs && this.#kick(jobKinds)),
      this.deps.store.onCommit(({ foreign, jobs }) => foreign && jobs && this.#lookSoon()),
    ];
    this.#unsubscribe = () => {
      for (const end of ends) end();
    };
    this.#kick();
  }

  /** Stops starting jobs, and waits for those that are running. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    this.#cancelTimer();
    this.#cancelLook?.();
    await Promise.all(this.#sweeps.map((sweep) => sweep.stop()));
    await Promise.all(this.#pools.map((pool) => pool.stop()));
    await this.#arming;
  }

  /**
   * Runs everything that is due, including jobs added meanwhile, and waits for the effects of all running jobs.
   * @param patientUntil System time after which it waits for webhook attempts no more, nor for what clients cause
   * @returns whether it waited for all
   */
  async drain(patientUntil?: number): Promise<boolean> {
    const isImpatient = patientUntil !== undefined;
    const { clock } = this.deps;
    const end = isImpatient ? latestEnd(patientUntil, clock) : Number.POSITIVE_INFINITY;
    let ranBefore: number;
    do {
      await Promise.all(this.#pools.map((pool) => pool.drain(patientUntil)));
      ranBefore = this.#ran;
      await Promise.all(this.#sweeps.map((sweep) => sweep.drain()));
      if (clock.systemNow() >= end) return false;
    } while (!this.#stopped && (await this.#isLeft(ranBefore, patientUntil)));
    return true;
  }

  /** Runs the jobs that are due in the pool of a kind, and waits for their effects. */
  async drainPoolOf(kind: KindName): Promise<void> {
    await this.#pools.find(({ kindNames }) => kindNames.includes(kind))?.drain();
  }

  /**
   * Moves time forward to an instant. Stops at each job that becomes due, so that the job runs at its own time,
   * including jobs that these jobs add. Waits for jobs that another process is running. Waits `patienceMs` of system time
   * in all for webhook attempts; then it ends those that time out on the way. The clock must be frozen meanwhile;
   * `moveTo` sets it.
   */
  async advanceTo(
    instant: number,
    patienceMs: number,
    moveTo: (instant: number) => Promise<void>,
  ): Promise<TimeTravelResult> {
    const { store, clock } = this.deps;
    const patientUntil = clock.systemNow() + patienceMs;
    const ran: Record<string, number> = {};
    let cutShort = 0;
    this.#onRun = ({ kind }) => {
      ran[kind] = (ran[kind] ?? 0) + 1;
    };
    try {
      for (;;) {
        const isDrained = await this.drain(patientUntil);
        if (this.#stopped) throw new Error('The server is stopping.');
        const cut = this.#underWay.reduce((count, underWay) => count + underWay.cutShort(), 0);
        cutShort += cut;
        if (cut > 0) continue;
        const { slow, others } = this.#bySpeed();
        const first = await store.read.jobs.first(others.flatMap((pool) => pool.kindNames));
        // Jobs of this process that are under way are claimed, and time may pass them.
        const due = slow.length > 0 ? (await this.#next(slow.filter((pool) => pool.ready))).dueAt : null;
        const now = clock.now();
        // The clock moves on although this is due, because the wait is over.
        const next = due !== null && due <= now && !isDrained ? null : due;
        const instants = [first?.runAt, next, ...this.#underWay.map((each) => each.nextDeadline()), instant];
        const to = Math.min(...instants.filter((each) => typeof each === 'number'));
        if (first && first.runAt <= now) {
          const leaseMs = Math.max(0, first.leaseUntil - clock.systemNow());
          await clock.sleep(Math.min(leaseMs, FOREIGN_JOB_MS));
        } else if (now >= instant && to >= now && !(next !== null && next <= now)) {
          return { ran, cutShort };
        } else if (to > now) {
          await moveTo(to);
        }
      }
    } finally {
      this.#onRun = () => {};
    }
  }

  get #underWay(): UnderWay[] {
    return this.#pools.flatMap((pool) => pool.underWay ?? []);
  }

  /** Separates the pools with jobs that only wait for others outside of svc. */
  #bySpeed(): { slow: JobPool[]; others: JobPool[] } {
    const isSlow = (pool: JobPool) => (pool.underWay?.size ?? 0) > 0;
    return { slow: this.#pools.filter(isSlow), others: this.#pools.filter((pool) => !isSlow(pool)) };
  }

  /** Starts due jobs of these kinds, or of all. */
  #kick(kinds?: readonly string[]): void {
    for (const pool of this.#pools) {
      if (!kinds || kinds.some((kind) => pool.kindNames.includes(kind))) pool.kick();
    }
  }

  /** Returns whether a job is due or running, or has run since the sweeps began, which may have missed its effect. */
  async #isLeft(ranBefore: number, patientUntil: number | undefined): Promise<boolean> {
    // What is due in a pool that is full of hanging attempts cannot run.
    const isImpatient = patientUntil !== undefined;
    const { dueAt } = await this.#next(isImpatient ? this.#pools.filter((pool) => !pool.full) : this.#pools);
    if (dueAt !== null && dueAt <= this.deps.clock.now()) return true;
    // A job may have started in a drained pool while other pools or the sweeps were still busy, or during that read.
    return this.#ran !== ranBefore || this.#pools.some((pool) => pool.isAwaited(patientUntil));
  }

  async #next(pools: JobPool[]): ReturnType<Store['read']['jobs']['next']> {
    const { jobs } = this.deps.store.read;
    const now = this.deps.clock.systemNow();
    const withRoom = pools.filter((pool) => pool.fullQueues.length === 0).flatMap((pool) => pool.kindNames);
    // A pool checks its full queues itself when one of their jobs ends.
    const others = pools.filter((pool) => pool.fullQueues.length > 0);
    const found = await Promise.all([
      jobs.next(withRoom, now),
      ...others.map((pool) => jobs.next(pool.kindNames, now, pool.fullQueues)),
    ]);
    return {
      dueAt: earliest(found.map((each) => each.dueAt)),
      leaseEndsAt: earliest(found.map((each) => each.leaseEndsAt)),
    };
  }

  /** Plans the jobs of another process, which may end before it runs them. */
  #lookSoon(): void {
    this.#cancelLook ??= this.deps.clock.after(FOREIGN_COMMIT_MS, () => {
      this.#cancelLook = undefined;
      this.#arm();
    });
  }

  /** Sets one timer for the next due job, or for the next lease that expires, because its job may have to be taken over. */
  #arm(): void {
    if (this.#stopped) return;
    // The read that is under way may be older than the commit to plan for.
    this.#armAgain = this.#arming !== undefined;
    this.#arming ??= this.#readAndArm()
      .catch((error: unknown) => {
        this.deps.onInternalError(error);
        if (!this.#stopped) this.#cancelTimer = this.deps.clock.after(STORE_RETRY_MS, () => this.#kick());
      })
      .finally(() => {
        this.#arming = undefined;
        if (this.#armAgain) this.#arm();
      });
  }

  async #readAndArm(): Promise<void> {
    // A busy pool arms when it is idle.
    if (this.#pools.some((pool) => pool.busy)) return;
    // Other pools start by themselves: a full one when a job ends, a paused one when its gate is idle, and a failed
    // one after a delay.
    const { dueAt, leaseEndsAt } = await this.#next(this.#pools.filter((pool) => pool.ready));
    this.#cancelTimer();
    if (this.#stopped || this.#pools.some((pool) => pool.busy)) return;
    const { clock } = this.deps;
    const cancels: (() => void)[] = [];
    if (dueAt !== null) cancels.push(clock.at(dueAt, () => this.#kick()));
    if (leaseEndsAt !== null) {
      cancels.push(clock.after(Math.max(0, leaseEndsAt - clock.systemNow()), () => this.#kick()));
    }
    this.#cancelTimer = () => {
      for (const cancel of cancels) cancel();
    };
  }
}

function earliest(instants: readonly (number | null)[]): number | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : Math.min(...known);
}
