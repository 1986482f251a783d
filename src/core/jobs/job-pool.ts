import type { Job } from '../model.js';
import { type Clock, isTemporary } from '../ports.js';
import { LEASE_MS, STORE_RETRY_MS, type Store, StoreUnavailableError } from '../store.js';

/**
 * Runs a job. `releaseSlot` frees its slot in its queue early, when the rest of the work should not block the queue.
 * Resolves with `deferred` when the job did not begin because the server stops; the next server runs it.
 */
export type JobHandler = (job: Job, releaseSlot: () => void) => Promise<'deferred' | void>;

/** A job under the lease that it was claimed with. */
interface Claimed {
  job: Job;
  leaseUntil: number;
}

/** The jobs of one pool, which run independently of other pools. */
export interface JobPoolOptions {
  handlers: Record<string, JobHandler>;
  /** Maximum number of its jobs that run at once. */
  size: number;
  /**
   * Maximum number of jobs of one queue that run at once, so that a slow receiver cannot take every slot (default: no
   * limit).
   */
  perQueue?: number;
  /** Whether claiming is paused. Whoever pauses it calls `resume` afterwards; a drain ignores it. */
  paused?(): boolean;
}

export interface JobPoolDeps {
  store: Store;
  clock: Clock;
  /** Told when a job failed for a reason of ours. */
  onInternalError(error: unknown): void;
  /** Whether the server is stopping, so that a job that cannot run now is left to the next start without a report. */
  isStopping?(): boolean;
}

/** Claims due jobs of some kinds under a lease and runs them with bounded concurrency. */
export class JobPool {
  readonly #running = new Set<Promise<void>>();
  readonly #runningByQueue = new Map<string, number>();
  /** Jobs that did not run and are still leased. */
  readonly #deferred = new Set<Claimed>();
  #loop: Promise<void> | undefined;
  #again = false;
  #draining = 0;
  #stopped = false;
  #backingOff = false;
  /** Why it could not claim. */
  #unavailable: unknown;

  constructor(
    private readonly deps: JobPoolDeps,
    private readonly options: JobPoolOptions,
    private readonly listener: { idle(): void; ran(job: Job): void },
  ) {
    this.kinds = Object.keys(options.handlers);
  }

  readonly kinds: readonly string[];

  /** Whether it would claim a job that is due. */
  get ready(): boolean {
    return !this.full && !this.paused && !this.#unavailable;
  }

  get full(): boolean {
    return this.#running.size >= this.options.size;
  }

  get fullQueues(): string[] {
    const { perQueue } = this.options;
    return [...this.#runningByQueue].filter(([, running]) => running === perQueue).map(([queue]) => queue);
  }

  get paused(): boolean {
    return this.#draining === 0 && this.options.paused?.() === true;
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
      else this.listener.idle();
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
      if (!(error instanceof StoreUnavailableError)) this.deps.onInternalError(error);
    });
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      this.#unavailable = undefined;
      const free = this.options.size - this.#running.size;
      if (free === 0 || this.paused) return;
      const jobs = await this.#claim(free).catch((error: unknown) => this.#retryLater(error));
      for (const claimed of jobs) this.#start(claimed);
      // With a limit for each queue, jobs of other queues may stand behind those that were passed over.
      if (jobs.length === free || (jobs.length > 0 && this.options.perQueue !== undefined)) this.#again = true;
    } while (this.#again && !this.#stopped);
  }

  async #claim(limit: number): Promise<Claimed[]> {
    const { store, clock } = this.deps;
    const { perQueue } = this.options;
    const systemNow = clock.systemNow();
    const leaseUntil = systemNow + LEASE_MS;
    const claim = {
      now: clock.now(),
      systemNow,
      leaseUntil,
      limit,
      kinds: this.kinds,
      ...(perQueue !== undefined && { perQueue: { limit: perQueue, running: this.#runningByQueue } }),
    };
    let claimed: Claimed[] = [];
    try {
      await store.write(async (tx) => {
        claimed = (await tx.jobs.claim(claim)).map((job) => ({ job, leaseUntil }));
      });
      return claimed;
    } catch (error) {
      // A commit that could not be flushed may have left the leases behind.
      for (const each of claimed) this.#releaseLater(each);
      throw error;
    }
  }

  /** Tries to claim again later, whatever went wrong: jobs are in the database, and nothing else runs them. */
  #retryLater(error: unknown): never[] {
    this.#unavailable = error ?? new Error('no job could be claimed');
    if (this.#backingOff) return [];
    this.deps.onInternalError(error);
    this.#backingOff = true;
    this.#afterBackOff(() => {
      this.#backingOff = false;
      this.kick();
    });
    return [];
  }

  #start(claimed: Claimed): void {
    const { queue } = claimed.job;
    this.#runningByQueue.set(queue, (this.#runningByQueue.get(queue) ?? 0) + 1);
    let released = false;
    const releaseSlot = () => {
      if (released) return;
      released = true;
      const inQueue = this.#runningByQueue.get(queue) ?? 1;
      if (inQueue > 1) this.#runningByQueue.set(queue, inQueue - 1);
      else this.#runningByQueue.delete(queue);
      // Else it left nothing unclaimed: what is added later is heard of when it is.
      if (inQueue === this.options.perQueue) this.kick();
    };
    const done = this.#perform(claimed, releaseSlot).finally(() => {
      releaseSlot();
      const wasFull = this.full;
      this.#running.delete(done);
      if (wasFull) this.kick();
    });
    this.#running.add(done);
  }

  async #perform(claimed: Claimed, releaseSlot: () => void): Promise<void> {
    const { job } = claimed;
    try {
      if ((await this.options.handlers[job.kind]?.(job, releaseSlot)) === 'deferred') this.#deferred.add(claimed);
      else this.listener.ran(job);
    } catch (error) {
      if (!isTemporary(error) || !this.deps.isStopping?.()) this.deps.onInternalError(error);
      if (isTemporary(error)) return this.#releaseLater(claimed);
      // Kept in the jobs table with its reason: a fault of ours that must be seen, and must not be tried for ever.
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      // A store that cannot even keep this has told so already; the job's lease runs out, and it is tried again.
      await this.deps.store.write((tx) => tx.jobs.fail(job.seq, reason)).catch(() => {});
    }
  }

  /** Lets a job run again after a rest, or at the next start if the lane stops before. */
  #releaseLater(claimed: Claimed): void {
    this.#deferred.add(claimed);
    this.#afterBackOff(() => {
      this.#deferred.delete(claimed);
      this.#release(claimed).catch((error: unknown) => {
        if (error instanceof StoreUnavailableError) this.#releaseLater(claimed);
        // Its lease runs out.
        else this.deps.onInternalError(error);
      });
    });
  }

  #release({ job, leaseUntil }: Claimed): Promise<void> {
    return this.deps.store.write((tx) => tx.jobs.release(job.seq, leaseUntil));
  }

  #afterBackOff(callback: () => void): void {
    this.deps.clock.after(STORE_RETRY_MS, () => {
      if (!this.#stopped) callback();
    });
  }
}
