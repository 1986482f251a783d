import type { Clock } from './ports.js';
import type { Scheduler } from './scheduler.js';
import { type Store, UnusableStateError } from './store.js';
import type { Reads } from './transaction.js';

/** Moves the service's time. What is moved stays so: it is kept in the database, and restored at the next start. */

/** A clock that can be moved. */
export interface MovableClock extends Clock {
  readonly frozen: boolean;
  /** How far it is ahead of the machine's. */
  readonly offset: number;
  /** Lets it pass, exactly so far ahead of the machine's. */
  run(offset: number): void;
  set(instant: number): void;
  freeze(): void;
  resume(): void;
}

/** The setting that holds the clock's state. */
const SETTING = 'clock';

interface StoredClock {
  /** How far the service's time is ahead of the machine's. */
  offset: number;
  /** Null while time passes. */
  frozenAt: number | null;
}

/** Time that was never moved is the machine's. @throws UnusableStateError when what was kept is no time. */
function readStored(text: string | undefined): StoredClock {
  if (text === undefined) return { offset: 0, frozenAt: null };
  try {
    const { offset, frozenAt } = JSON.parse(text) as StoredClock;
    if (Number.isFinite(offset) && (frozenAt === null || Number.isFinite(frozenAt))) return { offset, frozenAt };
  } catch {
    // Falls through: not even JSON.
  }
  throw new UnusableStateError('The clock setting stored in the database is invalid.');
}

export interface TimekeeperOptions {
  store: Store;
  clock: MovableClock;
  scheduler: Scheduler;
  /** Runs what is due, and waits for its effects. */
  drain(): Promise<void>;
}

export class Timekeeper {
  /** One change at a time, in the order asked for. */
  #last: Promise<unknown> = Promise.resolve();
  #known: string | undefined;

  constructor(private readonly options: TimekeeperOptions) {}

  get frozen(): boolean {
    return this.options.clock.frozen;
  }

  /** How far the service's time is ahead of the machine's. */
  get offset(): number {
    return this.options.clock.offset;
  }

  /** Takes the time over that this process, or another on the same database, has left. */
  restore(): Promise<void> {
    return this.#takeOver(this.options.store.read);
  }

  /**
   * Carries out a change of everything that is kept, while nobody moves time. `takeOver` belongs into its transaction: the
   * time that is kept from then on holds before anything else is seen of the change.
   */
  whileReplacing<T>(change: (takeOver: (reads: Pick<Reads, 'settings'>) => Promise<void>) => Promise<T>): Promise<T> {
    return this.#alone(async () => {
      try {
        return await change((reads) => this.#takeOver(reads));
      } catch (error) {
        // The transaction may have been undone after its time was taken over.
        await this.restore();
        throw error;
      }
    });
  }

  async #takeOver(reads: Pick<Reads, 'settings'>): Promise<void> {
    const { clock } = this.options;
    const text = await reads.settings.get(SETTING);
    if (text === this.#known) return;
    const { offset, frozenAt } = readStored(text);
    this.#known = text;
    clock.run(offset);
    if (frozenAt === null) return;
    clock.freeze();
    clock.set(frozenAt);
  }

  /** Moves time forward. Answers how many jobs of each kind ran on the way. */
  advance(milliseconds: number): Promise<Record<string, number>> {
    return this.#alone(() => this.#move(this.options.clock.now() + milliseconds, this.options.clock.frozen));
  }

  /**
   * Sets time, and freezes it or lets it pass. Forward it runs what is due on the way; backward nothing is undone, and what
   * is still to come waits the longer.
   */
  update({ now, frozen }: { now?: number | undefined; frozen?: boolean | undefined }): Promise<Record<string, number>> {
    return this.#alone(async () => {
      const { clock } = this.options;
      return this.#move(now, frozen ?? clock.frozen);
    });
  }

  /** Goes back to the machine's time, to the millisecond, and lets it pass; what is due in between is as with `update`. */
  reset(): Promise<Record<string, number>> {
    return this.#alone(async () => {
      const { clock } = this.options;
      const ran = await this.#move(clock.systemNow(), false);
      clock.run(0);
      await this.#keep(false);
      return ran;
    });
  }

  #alone<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      await this.restore();
      return change();
    });
    this.#last = done.catch(() => {});
    return done;
  }

  /** Without an instant to move to, only whether time passes is changed. */
  async #move(to: number | undefined, frozenAfter: boolean): Promise<Record<string, number>> {
    const { clock, scheduler, drain } = this.options;
    clock.freeze();
    try {
      if (to === undefined) return {};
      if (to < clock.now()) {
        clock.set(to);
        return {};
      }
      return await scheduler.advanceTo(to, {
        settle: drain,
        moveTo: async (instant) => {
          clock.set(instant);
          await this.#keep(frozenAfter);
        },
      });
    } finally {
      if (!frozenAfter) clock.resume();
      await this.#keep(frozenAfter);
    }
  }

  async #keep(frozen: boolean): Promise<void> {
    const { clock, store } = this.options;
    const stored: StoredClock = { offset: clock.offset, frozenAt: frozen ? clock.now() : null };
    this.#known = JSON.stringify(stored);
    await store.write((tx) => tx.settings.set(SETTING, JSON.stringify(stored)));
  }
}
