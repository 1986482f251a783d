import type { Job } from '../model.js';
import { STORE_RETRY_MS, type Store } from '../store.js';
import { JobPool, type JobPoolDeps, type JobPoolOptions } from './job-pool.js';

/**
 * Runs jobs when they are due. A job is claimed under a lease on the machine's time, so a process that dies gives it up and
 * two processes on one database never run it at once. Whoever handles a job ends it, in the transaction of its effects.
 */

/** How often to look whether another process has ended its job: no word comes from there. */
const FOREIGN_JOB_MS = 20;

/** What an advance of the clock depends on. */
export interface Advance {
  /** Sets the clock, at which it then stands. */
  moveTo(instant: number): Promise<void>;
  /** Runs what is due, and waits for its effects. */
  settle(): Promise<void>;
}

export class Scheduler {
  readonly #pools: JobPool[];
  #cancelTimer = () => {};
  #unsubscribe = () => {};
  #onRun: (job: Job) => void = () => {};
  #arming = false;
  #started = false;
  #stopped = false;

  constructor(
    private readonly deps: JobPoolDeps,
    pools: JobPoolOptions[],
  ) {
    this.#pools = pools.map(
      (options) => new JobPool(deps, options, { idle: () => this.#arm(), ran: (job) => this.#onRun(job) }),
    );
  }

  /** Runs what is due, now and from now on. */
  start(): void {
    this.#started = true;
    // Before the commit, so that what is due at once is claimed in the commit that adds it.
    this.#unsubscribe = this.deps.store.beforeCommit(({ jobs }) => jobs && this.#kick());
    this.#kick();
  }

  /** Runs what was held back. */
  resume(): void {
    if (this.#started) this.#kick();
  }

  /** Claims no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    this.#cancelTimer();
    await Promise.all(this.#pools.map((pool) => pool.stop()));
  }

  /** Runs every job that is due, and those they bring that are due too, and waits for them. */
  async drain(): Promise<void> {
    do {
      await Promise.all(this.#pools.map((pool) => pool.drain()));
    } while (!this.#stopped && (await this.#isDue()));
  }

  /**
   * Moves time to an instant, with a stop at each job that is due on the way, so that it runs at its own time. Jobs that they
   * bring are among them, and a job that another process has under way is waited for. Answers how many of each kind ran.
   * The clock must stand still meanwhile.
   */
  async advanceTo(instant: number, { moveTo, settle }: Advance): Promise<Record<string, number>> {
    const { store, clock } = this.deps;
    const kinds = this.#pools.flatMap((pool) => pool.kinds);
    const ran: Record<string, number> = {};
    this.#onRun = ({ kind }) => {
      ran[kind] = (ran[kind] ?? 0) + 1;
    };
    try {
      for (;;) {
        await settle();
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
    const kinds = pools.flatMap((pool) => pool.kinds);
    // A queue without room looks again when one of its jobs ends.
    const full = pools.flatMap((pool) => pool.fullQueues);
    return this.deps.store.read.jobs.next(kinds, this.deps.clock.systemNow(), full);
  }

  /** Sets the one wake-up for the next job, or for the end of the next lease that may have to be taken over. */
  #arm(): void {
    if (this.#arming || this.#stopped) return;
    this.#arming = true;
    const arm = async () => {
      // A full lane looks again when one of its jobs ends, one that is held back when it is resumed, one that could not
      // claim when the store has rested.
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
