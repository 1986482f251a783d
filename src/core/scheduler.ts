import type { Job } from './model.js';
import { type Clock, type Store, StoreUnavailableError } from './ports.js';

/**
 * Runs jobs when they are due. A job is claimed under a lease on the machine's time, so a process that dies gives it up and
 * two processes on one database never run it at once. Whoever handles a job ends it, in the transaction of its effects.
 */

export type JobHandler = (job: Job) => Promise<void>;

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
}

/** Longer than any job takes: a webhook attempt waits 30 s for its response. */
const LEASE_MS = 60_000;
/** How long to leave a store alone that could not write. */
const STORE_RETRY_MS = 1_000;

/** How often to look whether another process has ended its job: no word comes from there. */
const FOREIGN_JOB_MS = 20;

/** What an advance of time needs of its surroundings. */
export interface Travel {
  /** Sets the clock, at which it then stands. */
  moveTo(instant: number): Promise<void>;
  /** Runs what is due, and waits for its effects. */
  settle(): Promise<void>;
}

export class Scheduler {
  readonly #lanes: Lane[];
  #cancelWakeUp = () => {};
  #stopListening = () => {};
  #onRun: (job: Job) => void = () => {};
  #arming = false;
  #started = false;
  #stopped = false;

  constructor(
    private readonly surroundings: Surroundings,
    lanes: LaneOptions[],
  ) {
    this.#lanes = lanes.map(
      (options) => new Lane(surroundings, options, { idle: () => this.#arm(), ran: (job) => this.#onRun(job) }),
    );
  }

  /** Runs what is due, now and from now on. */
  start(): void {
    this.#started = true;
    // Before the commit, so that what is due at once is claimed in the commit that adds it.
    this.#stopListening = this.surroundings.store.beforeCommit(({ jobs }) => jobs && this.#kick());
    this.#kick();
  }

  /** Runs what was held back. */
  resume(): void {
    if (this.#started) this.#kick();
  }

  /** Claims no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    this.#cancelWakeUp();
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }

  /** Runs every job that is due, and those they bring that are due too, and waits for them. */
  async drain(): Promise<void> {
    do {
      await Promise.all(this.#lanes.map((lane) => lane.drain()));
    } while (!this.#stopped && (await this.#isDue()));
  }

  /**
   * Moves time to an instant, with a stop at each job that is due on the way, so that it runs at its own time. Jobs that they
   * bring are among them, and a job that another process has under way is waited for. Answers how many of each kind ran.
   * The clock must stand still meanwhile.
   */
  async advanceTo(instant: number, { moveTo, settle }: Travel): Promise<Record<string, number>> {
    const { store, clock } = this.surroundings;
    const kinds = this.#lanes.flatMap((lane) => lane.kinds);
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
    for (const lane of this.#lanes) lane.kick();
  }

  async #isDue(): Promise<boolean> {
    const { dueAt } = await this.#next(this.#lanes);
    return dueAt !== null && dueAt <= this.surroundings.clock.now();
  }

  #next(lanes: Lane[]): ReturnType<Store['read']['jobs']['next']> {
    const kinds = lanes.flatMap((lane) => lane.kinds);
    // A queue without room looks again when one of its jobs ends.
    const full = lanes.flatMap((lane) => lane.fullQueues);
    return this.surroundings.store.read.jobs.next(kinds, this.surroundings.clock.systemNow(), full);
  }

  /** Sets the one wake-up for the next job, or for the end of the next lease that may have to be taken over. */
  #arm(): void {
    if (this.#arming || this.#stopped) return;
    this.#arming = true;
    const arm = async () => {
      // A full lane looks again when one of its jobs ends, one that is held back when it is resumed, one that could not
      // claim when the store has rested.
      const { dueAt, leaseEndsAt } = await this.#next(this.#lanes.filter((lane) => lane.ready)).finally(() => {
        this.#arming = false;
      });
      this.#cancelWakeUp();
      if (this.#stopped || this.#lanes.some((lane) => lane.busy)) return;
      const cancels: (() => void)[] = [];
      if (dueAt !== null) cancels.push(this.surroundings.clock.at(dueAt, () => this.#kick()));
      if (leaseEndsAt !== null) {
        cancels.push(
          this.surroundings.clock.after(Math.max(0, leaseEndsAt - this.surroundings.clock.systemNow()), () =>
            this.#kick(),
          ),
        );
      }
      this.#cancelWakeUp = () => {
        for (const cancel of cancels) cancel();
      };
    };
    void arm().catch((error: unknown) => {
      this.surroundings.onFault(error);
      this.#cancelWakeUp = this.surroundings.clock.after(STORE_RETRY_MS, () => this.#kick());
    });
  }
}

class Lane {
  readonly #running = new Set<Promise<void>>();
  readonly #runningOf = new Map<string, number>();
  #loop: Promise<void> | undefined;
  #again = false;
  #draining = 0;
  #stopped = false;
  #resting = false;
  #unavailable: StoreUnavailableError | undefined;

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
   * @throws StoreUnavailableError when the store cannot write.
   */
  async drain(): Promise<void> {
    this.#draining += 1;
    try {
      this.kick();
      while (this.#loop || this.#running.size > 0) await Promise.all([this.#loop, ...this.#running]);
    } finally {
      this.#draining -= 1;
    }
    if (this.#unavailable) throw this.#unavailable;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop;
    await Promise.all(this.#running);
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      this.#unavailable = undefined;
      const free = this.options.width - this.#running.size;
      if (free === 0 || this.held) return;
      const jobs = await this.#claim(free).catch((error: unknown) => this.#retryLater(error));
      for (const job of jobs) this.#start(job);
      // With a limit for each queue, jobs of other queues may stand behind those that were passed over.
      if (jobs.length === free || (jobs.length > 0 && this.options.perQueue !== undefined)) this.#again = true;
    } while (this.#again && !this.#stopped);
  }

  #claim(limit: number): Promise<Job[]> {
    const { store, clock } = this.surroundings;
    const { perQueue } = this.options;
    const systemNow = clock.systemNow();
    const claim = {
      now: clock.now(),
      systemNow,
      leaseUntil: systemNow + LEASE_MS,
      limit,
      kinds: this.kinds,
      ...(perQueue !== undefined && { perQueue: { limit: perQueue, running: this.#runningOf } }),
    };
    return store.write((tx) => tx.jobs.claim(claim));
  }

  /** Tries again later to claim, of a store that could not write. */
  #retryLater(error: unknown): Job[] {
    if (!(error instanceof StoreUnavailableError)) throw error;
    this.#unavailable = error;
    if (this.#resting) return [];
    this.surroundings.onFault(error);
    this.#resting = true;
    this.#afterRest(() => {
      this.#resting = false;
      this.kick();
    });
    return [];
  }

  #start(job: Job): void {
    const { queue } = job;
    this.#runningOf.set(queue, (this.#runningOf.get(queue) ?? 0) + 1);
    const done = this.#perform(job).finally(() => {
      const ofQueue = this.#runningOf.get(queue) ?? 1;
      const wasFull = this.full || ofQueue === this.options.perQueue;
      this.#running.delete(done);
      if (ofQueue > 1) this.#runningOf.set(queue, ofQueue - 1);
      else this.#runningOf.delete(queue);
      // Else it left nothing unclaimed: what is added later is heard of when it is.
      if (wasFull) this.kick();
    });
    this.#running.add(done);
  }

  async #perform(job: Job): Promise<void> {
    try {
      await this.options.handlers[job.kind]?.(job);
      this.tell.ran(job);
    } catch (error) {
      this.surroundings.onFault(error);
      if (error instanceof StoreUnavailableError) return this.#giveBack(job);
      // Kept in the jobs table with its reason: a fault of ours that must be seen, and must not be tried for ever.
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      // A store that cannot even keep this has told so already; the job's lease runs out, and it is tried again.
      await this.surroundings.store.write((tx) => tx.jobs.fail(job.seq, reason)).catch(() => {});
    }
  }

  /** Lets a job run again as soon as the store can write. It is not the job's fault, so it does not fail. */
  #giveBack(job: Job): void {
    this.#afterRest(() => {
      this.surroundings.store
        .write((tx) => tx.jobs.reschedule(job.seq, job.runAt))
        .catch((error: unknown) => {
          if (!(error instanceof StoreUnavailableError)) throw error;
          this.#giveBack(job);
        });
    });
  }

  #afterRest(callback: () => void): void {
    this.surroundings.clock.after(STORE_RETRY_MS, () => {
      if (!this.#stopped) callback();
    });
  }
}
