import type { Job } from '../model/jobs.js';
import { type Clock, isTemporary } from '../ports.js';
import { isLeaseOut, LEASE_MS, type Store } from '../store.js';
import type { JobClaim, Transaction } from '../transaction.js';
import { type Claimed, DeferredJobs } from './deferred-jobs.js';
import type { BurstGate } from './ingest-backpressure.js';
import { type JobKind, type JobKinds, runJob } from './job-kinds.js';
import { PersistentWrites, type UnderWay } from './under-way.js';
import { WorkLoop } from './work-loop.js';

/** Counts the running jobs of each queue, of which at most `limit` run at once (default: no limit). */
class QueueSlots {
  readonly #running = new Map<string, number>();

  constructor(
    private readonly limit: number | undefined,
    /** Called when a full queue has room again. */
    private readonly onRoom: () => void,
  ) {}

  /** Returns the queues that have no room. */
  get full(): string[] {
    return [...this.#running].filter(([, running]) => running === this.limit).map(([queue]) => queue);
  }

  /** Returns what a claim must respect; undefined without a limit. */
  get limits(): JobClaim['perQueue'] {
    return this.limit === undefined ? undefined : { limit: this.limit, running: this.#running };
  }

  /** Counts a job of the queue as running. Returns the function that undoes this. */
  take(queue: string): () => void {
    this.#running.set(queue, (this.#running.get(queue) ?? 0) + 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      const running = this.#running.get(queue) ?? 1;
      if (running > 1) this.#running.set(queue, running - 1);
      else this.#running.delete(queue);
      // Only a full queue can have unclaimed jobs, and adding a job starts the loop.
      if (running === this.limit) this.onRoom();
    };
  }
}

/** Options of one pool. Pools run independently of each other. */
export interface JobPoolOptions {
  /** The kinds of jobs that the pool runs, by name. */
  kinds: JobKinds;
  /** Maximum number of concurrent jobs. */
  size: number;
  /**
   * Maximum number of concurrent jobs of one queue, so that a slow receiver cannot occupy the whole pool (default: no
   * limit). With a limit, each job of the pool must have a queue.
   */
  perQueue?: number;
  /** The jobs that wait for others outside of svc. Moving the clock waits for them with limited patience. */
  underWay?: UnderWay;
  /** Pauses claiming while it is active. `drain` ignores it. */
  gate?: Pick<BurstGate, 'isActive' | 'onIdle'>;
}

export interface JobPoolDeps {
  store: Store;
  clock: Clock;
  /** Called when a job failed because of a bug in svc. */
  onInternalError(error: unknown): void;
  /**
   * Returns whether the server is stopping. A job that cannot run now is then left to the next start, and no error is
   * reported.
   */
  isStopping?(): boolean;
}

/** Claims due jobs of some kinds under a lease, runs them with bounded concurrency, and completes them. */
export class JobPool {
  readonly kindNames: readonly string[];
  readonly #loop: WorkLoop;
  /** Running jobs by `seq`. */
  readonly #running = new Map<number, { claimed: Claimed; done: Promise<void> }>();
  readonly #queues: QueueSlots;
  readonly #deferred: DeferredJobs;
  readonly #persistent: PersistentWrites;
  #draining = 0;
  #cancelRenewal: (() => void) | undefined;
  #renewal: Promise<void> | undefined;

  constructor(
    private readonly deps: JobPoolDeps,
    private readonly options: JobPoolOptions,
    private readonly listener: { idle(): void; ran(job: Job): void },
  ) {
    this.kindNames = Object.keys(options.kinds);
    this.#deferred = new DeferredJobs(deps);
    this.#persistent = new PersistentWrites(deps);
    this.#queues = new QueueSlots(options.perQueue, () => this.kick());
    this.#loop = new WorkLoop({
      clock: deps.clock,
      step: () => this.#startDue(),
      onError: (error) => deps.onInternalError(error),
      onIdle: () => listener.idle(),
    });
    options.gate?.onIdle(() => this.kick());
  }

  /** Returns whether the pool would claim a due job. */
  get ready(): boolean {
    return !this.full && !this.paused && !this.#loop.failure;
  }

  get full(): boolean {
    return this.#running.size >= this.options.size;
  }

  get fullQueues(): string[] {
    return this.#queues.full;
  }

  get paused(): boolean {
    return this.#draining === 0 && this.options.gate?.isActive === true;
  }

  get busy(): boolean {
    return this.#loop.running !== undefined;
  }

  /** Returns whether the pool claims or runs jobs. */
  get active(): boolean {
    return this.busy || this.#running.size > 0;
  }

  /** Starts the jobs that are due. */
  kick(): void {
    this.#loop.kick();
  }

  get underWay(): UnderWay | undefined {
    return this.options.underWay;
  }

  /**
   * Returns whether a drain waits for the pool.
   * @param patientUntil System time after which it no longer waits for jobs that are under way elsewhere
   */
  isAwaited(patientUntil?: number): boolean {
    const { underWay } = this.options;
    return this.active && !(patientUntil !== undefined && underWay?.isOver(patientUntil, this.#running.size));
  }

  /**
   * Runs the jobs that are due and waits for them.
   * @param patientUntil System time after which it no longer waits for jobs that are under way elsewhere
   * @throws the error of the store when no job can be claimed.
   */
  async drain(patientUntil?: number): Promise<void> {
    this.#draining += 1;
    const { underWay } = this.options;
    const patience =
      patientUntil === undefined ? undefined : underWay?.impatience(patientUntil, () => this.#running.size);
    let isOver = false;
    const over = patience?.over.then(() => {
      isOver = true;
    });
    try {
      this.kick();
      while (this.active && !isOver) {
        const done = Promise.all([this.#loop.running, ...this.#ends()]);
        await (over ? Promise.race([done, over]) : done);
      }
    } finally {
      patience?.cancel();
      this.#draining -= 1;
    }
    if (this.#loop.failure) throw this.#loop.failure.error;
  }

  /** Stops claiming, waits for running jobs, and releases jobs that did not run. */
  async stop(): Promise<void> {
    this.#deferred.stop();
    this.#persistent.stop();
    await this.#loop.stop();
    await Promise.all(this.#ends());
    this.#cancelRenewal?.();
    // A job is released with its newest lease.
    await this.#renewal;
    await this.#deferred.releaseAll();
  }

  /** Claims and starts as many jobs as the limits allow. Returns whether more may be due. */
  async #startDue(): Promise<boolean> {
    const free = this.options.size - this.#running.size;
    if (free === 0 || this.paused) return false;
    const jobs = await this.#claim(free);
    for (const claimed of jobs) {
      const running = this.#running.get(claimed.job.seq)?.claimed;
      // Its lease has ended and is renewed: this process may have been suspended. With a valid lease, the job has ended
      // in this commit, and is due again.
      if (running && isLeaseOut(running.leaseUntil, claimed.leaseUntil - LEASE_MS)) {
        running.leaseUntil = claimed.leaseUntil;
      } else {
        this.#start(claimed);
      }
    }
    // If a queue's limit was reached, jobs of other queues may follow.
    return jobs.length === free || (jobs.length > 0 && this.options.perQueue !== undefined);
  }

  async #claim(limit: number): Promise<Claimed[]> {
    const { store, clock } = this.deps;
    const systemNow = clock.systemNow();
    const leaseUntil = systemNow + LEASE_MS;
    const claim = {
      now: clock.now(),
      systemNow,
      leaseUntil,
      limit,
      kinds: this.kindNames,
      ...(this.#queues.limits && { perQueue: this.#queues.limits }),
    };
    let claimed: Claimed[] = [];
    try {
      await store.write(async (tx) => {
        claimed = (await tx.jobs.claim(claim)).map((job) => ({ job, leaseUntil }));
      });
      return claimed;
    } catch (error) {
      // If only the flush to disk failed, the jobs are claimed in the database.
      for (const each of claimed) this.#deferred.releaseLater(each);
      throw error;
    }
  }

  #start(claimed: Claimed): void {
    const freeQueueSlot = this.#queues.take(claimed.job.queue);
    const done = this.#perform(claimed, freeQueueSlot).finally(() => {
      freeQueueSlot();
      const wasFull = this.full;
      // The job may have been started again.
      if (this.#running.get(claimed.job.seq)?.claimed === claimed) this.#running.delete(claimed.job.seq);
      // A server that does not listen starts what the job has added only while it drains.
      if (wasFull || this.#draining > 0) this.kick();
    });
    this.#running.set(claimed.job.seq, { claimed, done });
    this.#renewLater();
  }

  /** Renews leases while jobs run: a relay may take minutes, and another process would run the job again. */
  #renewLater(): void {
    this.#cancelRenewal ??= this.deps.clock.after(LEASE_MS / 4, () => {
      this.#cancelRenewal = undefined;
      if (this.#running.size === 0) return;
      this.#renewLater();
      // If the store is unavailable, the next attempt may still be in time.
      this.#renewal = this.#renew().catch((error: unknown) => {
        if (!isTemporary(error)) this.deps.onInternalError(error);
      });
    });
  }

  async #renew(): Promise<void> {
    const { store, clock } = this.deps;
    const now = clock.systemNow();
    const until = now + LEASE_MS;
    const running = Array.from(this.#running.values(), ({ claimed }) => claimed);
    const ending = running.filter(({ leaseUntil }) => leaseUntil - now <= LEASE_MS / 2);
    if (ending.length === 0) return;
    const renewed = await store.write((tx) =>
      Promise.all(ending.map(({ job, leaseUntil }) => tx.jobs.renew(job.seq, leaseUntil, until))),
    );
    for (const [index, each] of ending.entries()) if (renewed[index]) each.leaseUntil = until;
  }

  #ends(): Promise<void>[] {
    return Array.from(this.#running.values(), ({ done }) => done);
  }

  async #perform(claimed: Claimed, freeQueueSlot: () => void): Promise<void> {
    const { job } = claimed;
    try {
      const end = await runJob(this.#kindOf(job), job);
      if (end === 'deferred') {
        this.#deferred.keep(claimed);
        return;
      }
      const written = this.#write(job, end);
      // Frees the slot before the write, so that the next job of the queue is claimed in the same commit.
      freeQueueSlot();
      (await written)?.();
      this.listener.ran(job);
    } catch (error) {
      await this.#fail(claimed, error);
    }
  }

  #write<T>(job: Job, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const kind = this.options.kinds[job.kind];
    const isPersistent = kind?.type === 'item' && kind.runsOnce === true;
    return (isPersistent ? this.#persistent : this.deps.store).write(work);
  }

  #kindOf({ kind }: Job): JobKind {
    const found = this.options.kinds[kind];
    if (!found) throw new Error(`unknown kind of job: ${kind}`);
    return found;
  }

  async #fail(claimed: Claimed, error: unknown): Promise<void> {
    if (!isTemporary(error) || !this.deps.isStopping?.()) this.deps.onInternalError(error);
    if (isTemporary(error)) return this.#deferred.releaseLater(claimed);
    // A bug in svc: keeps the job with the error, so that it can be listed and is not retried forever.
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    // The store has already reported that it cannot write. The lease expires and the job runs again.
    await this.#write(claimed.job, (tx) => tx.jobs.fail(claimed.job.seq, reason)).catch(() => {});
  }
}
