import type { Job } from './model.js';
import { type Clock, isTemporary } from './ports.js';
import { LEASE_MS, STORE_RETRY_MS, type Store, StoreUnavailableError } from './store.js';

/**
 * Runs a job. `leave` gives its place in its queue to another, when what is left to do keeps nobody waiting there. Answers
 * `put off` when it did not begin, because the server stops: the next one runs it.
 */
export type JobHandler = (job: Job, leave: () => void) => Promise<'put off' | void>;

/** A job under the lease that it was claimed with. */
interface Claimed {
  job: Job;
  leaseUntil: number;
}

/** Kinds of jobs that run beside one another, apart from those of other lanes. */
export interface LaneOptions {
  handlers: Record<string, JobHandler>;
  /** How many of its jobs run at once. */
  width: number;
  /** How many of one queue run at once, so that one slow receiver leaves room for the others; all when absent. */
  perQueue?: number;
  /** Whether its jobs should wait for now. Who holds them back calls `resume` when it is over; a drain does not wait. */
  held?(): boolean;
}

export interface Surroundings {
  store: Store;
  clock: Clock;
  /** Told when a job failed for a reason of ours. */
  onFault(error: unknown): void;
  /** Whether the server is stopping, so that a job that cannot run now is left to the next start without a report. */
  isStopping?(): boolean;
}

/** Claims the jobs of some kinds when they are due, and runs them, so many at a time. */
export class Lane {
  readonly #running = new Set<Promise<void>>();
  readonly #runningOf = new Map<string, number>();
  /** Jobs that did not run and are still leased. */
  readonly #deferred = new Set<Claimed>();
  #loop: Promise<void> | undefined;
  #again = false;
  #draining = 0;
  #stopped = false;
  #resting = false;
  /** Why it could not claim. */
  #unavailable: unknown;

  constructor(
    private readonly surroundings: Surroundings,
    private readonly options: LaneOptions,
    private readonly tell: { idle(): void; ran(job: Job): void },
  ) {
    this.kinds = Object.keys(options.handlers);
  }

  readonly kinds: readonly string[];

  /** Whether it would claim a job that is due. */
  get ready(): boolean {
    return !this.full && !this.held && !this.#unavailable;
  }

  get full(): boolean {
    return this.#running.size >= this.options.width;
  }

  get fullQueues(): string[] {
    const { perQueue } = this.options;
    return [...this.#runningOf].filter(([, running]) => running === perQueue).map(([queue]) => queue);
  }

  get held(): boolean {
    return this.#draining === 0 && this.options.held?.() === true;
  }

  get busy(): boolean {
    return this.#loop !== undefined;
  }

  kick(): void {
    this.#again = true;
    if (this.#loop || this.#stopped) return;
    this.#loop = this.#run().finally(() => {
      this.#loop = undefined;
      if (this.#again && !this.#stopped) this.kick();
      else this.tell.idle();
    });
  }

  /**
   * Runs what is due and waits for it.
   * @throws the error of the store when no job can be claimed.
   */
  async drain(): Promise<void> {
    this.#draining += 1;
    try {
      this.kick();
      while (this.#loop || this.#running.size > 0) await Promise.all([this.#loop, ...this.#running]);
    } finally {
      this.#draining -= 1;
    }
    if (this.#unavailable !== undefined) throw this.#unavailable;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop;
    await Promise.all(this.#running);
    // Only now: while it may still claim, it would claim them again.
    await Promise.all(Array.from(this.#deferred, (claimed) => this.#release(claimed))).catch((error: unknown) => {
      // Then their leases run out.
      if (!(error instanceof StoreUnavailableError)) this.surroundings.onFault(error);
    });
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      this.#unavailable = undefined;
      const free = this.options.width - this.#running.size;
      if (free === 0 || this.held) return;
      const jobs = await this.#claim(free).catch((error: unknown) => this.#retryLater(error));
      for (const claimed of jobs) this.#start(claimed);
      // With a limit for each queue, jobs of other queues may stand behind those that were passed over.
      if (jobs.length === free || (jobs.length > 0 && this.options.perQueue !== undefined)) this.#again = true;
    } while (this.#again && !this.#stopped);
  }

  async #claim(limit: number): Promise<Claimed[]> {
    const { store, clock } = this.surroundings;
    const { perQueue } = this.options;
    const systemNow = clock.systemNow();
    const leaseUntil = systemNow + LEASE_MS;
    const claim = {
      now: clock.now(),
      systemNow,
      leaseUntil,
      limit,
      kinds: this.kinds,
      ...(perQueue !== undefined && { perQueue: { limit: perQueue, running: this.#runningOf } }),
    };
    let claimed: Claimed[] = [];
    try {
      await store.write(async (tx) => {
        claimed = (await tx.jobs.claim(claim)).map((job) => ({ job, leaseUntil }));
      });
      return claimed;
    } catch (error) {
      // A commit that could not be flushed may have left the leases behind.
      for (const each of claimed) this.#giveBack(each);
      throw error;
    }
  }

  /** Tries to claim again later, whatever went wrong: jobs are in the database, and nothing else runs them. */
  #retryLater(error: unknown): never[] {
    this.#unavailable = error ?? new Error('no job could be claimed');
    if (this.#resting) return [];
    this.surroundings.onFault(error);
    this.#resting = true;
    this.#afterRest(() => {
      this.#resting = false;
      this.kick();
    });
    return [];
  }

  #start(claimed: Claimed): void {
    const { queue } = claimed.job;
    this.#runningOf.set(queue, (this.#runningOf.get(queue) ?? 0) + 1);
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      const ofQueue = this.#runningOf.get(queue) ?? 1;
      if (ofQueue > 1) this.#runningOf.set(queue, ofQueue - 1);
      else this.#runningOf.delete(queue);
      // Else it left nothing unclaimed: what is added later is heard of when it is.
      if (ofQueue === this.options.perQueue) this.kick();
    };
    const done = this.#perform(claimed, leave).finally(() => {
      leave();
      const wasFull = this.full;
      this.#running.delete(done);
      if (wasFull) this.kick();
    });
    this.#running.add(done);
  }

  async #perform(claimed: Claimed, leave: () => void): Promise<void> {
    const { job } = claimed;
    try {
      if ((await this.options.handlers[job.kind]?.(job, leave)) === 'put off') this.#deferred.add(claimed);
      else this.tell.ran(job);
    } catch (error) {
      if (!isTemporary(error) || !this.surroundings.isStopping?.()) this.surroundings.onFault(error);
      if (isTemporary(error)) return this.#giveBack(claimed);
      // Kept in the jobs table with its reason: a fault of ours that must be seen, and must not be tried for ever.
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      // A store that cannot even keep this has told so already; the job's lease runs out, and it is tried again.
      await this.surroundings.store.write((tx) => tx.jobs.fail(job.seq, reason)).catch(() => {});
    }
  }

  /** Lets a job run again after a rest, or at the next start if the lane stops before. */
  #giveBack(claimed: Claimed): void {
    this.#deferred.add(claimed);
    this.#afterRest(() => {
      this.#deferred.delete(claimed);
      this.#release(claimed).catch((error: unknown) => {
        if (error instanceof StoreUnavailableError) this.#giveBack(claimed);
        // Its lease runs out.
        else this.surroundings.onFault(error);
      });
    });
  }

  #release({ job, leaseUntil }: Claimed): Promise<void> {
    return this.surroundings.store.write((tx) => tx.jobs.giveBack(job.seq, leaseUntil));
  }

  #afterRest(callback: () => void): void {
    this.surroundings.clock.after(STORE_RETRY_MS, () => {
      if (!this.#stopped) callback();
    });
  }
}
