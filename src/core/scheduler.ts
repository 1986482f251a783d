import { Lane, type LaneOptions, type Surroundings } from './lane.js';
import type { Job } from './model.js';
import { STORE_RETRY_MS, type Store } from './store.js';

/**
 * Runs jobs when they are due. A job is claimed under a lease on the machine's time, so a process that dies gives it up and
 * two processes on one database never run it at once. Whoever handles a job ends it, in the transaction of its effects.
 */

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
