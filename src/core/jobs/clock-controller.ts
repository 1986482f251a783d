import { ServiceError } from '../../contract/vocabulary/errors.js';
import { INSTANT_MAX, INSTANT_MAX_TEXT, INSTANT_MIN } from '../../contract/vocabulary/instants.js';
import type { Clock } from '../ports.js';
import type { Reads } from '../reads.js';
import { type Store, UnusableStateError } from '../store.js';
import type { Transaction } from '../transaction.js';
import { SerialQueue } from './deferred-jobs.js';
import type { Scheduler, TimeTravelResult } from './scheduler.js';

/** Moves the service's clock. The state is in the database, so the next start restores it. */

/** A clock that can be moved. */
interface MovableClock extends Clock {
  moving: boolean;
  readonly frozen: boolean;
  /** Milliseconds ahead of system time. */
  readonly offset: number;
  /** Runs the clock at exactly `offset` milliseconds ahead of system time. */
  run(offset: number): void;
  set(instant: number): void;
  freeze(): void;
  resume(): void;
}

/** The name of the setting with the clock's state. */
export const CLOCK_SETTING = 'clock';

interface StoredClock {
  /** Milliseconds ahead of system time. */
  offset: number;
  /** The instant at which the clock is frozen; null while it runs. */
  frozenAt: number | null;
}

type StoredSetting = StoredClock & { text: string };

/** The state of a clock that was never moved. */
const MACHINE_TIME: StoredClock = { offset: 0, frozenAt: null };

/** Parses the setting. Returns undefined if it is invalid or its time is not from 1970 to 9999. */
export function readStored(text: string): StoredSetting | undefined {
  try {
    const { offset, frozenAt } = JSON.parse(text) as StoredClock;
    const isValid = Number.isSafeInteger(offset) && Math.abs(offset) <= INSTANT_MAX;
    return isValid && (frozenAt === null || isInstant(frozenAt)) ? { offset, frozenAt, text } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Parses the setting of an archive.
 * @throws UnusableStateError if it is invalid, because an import must not apply in part.
 */
function readImported(text: string): StoredSetting {
  const stored = readStored(text);
  if (stored) return stored;
  throw new UnusableStateError('The clock in the archive is invalid: its time must be from 1970 to 9999.');
}

function isInstant(value: number): boolean {
  return Number.isSafeInteger(value) && value >= INSTANT_MIN && value <= INSTANT_MAX;
}

function refuseBeyond(instant: number): void {
  if (isInstant(instant)) return;
  throw new ServiceError('bad_request', `The time must be from 1970-01-01T00:00:00.000Z to ${INSTANT_MAX_TEXT}.`);
}

/** Milliseconds of system time that a move of the clock waits for webhook attempts in all. */
const PATIENCE_MS = 10_000;

/** How the clock is moved. */
interface Move {
  /** Milliseconds of system time to wait for webhook attempts in all (default: PATIENCE_MS). */
  patienceMs?: number | undefined;
  /** Stores the new time, and who moved the clock (default: the store of the controller). */
  store?: Pick<Store, 'write'> | undefined;
}

const NOTHING: TimeTravelResult = { ran: {}, cutShort: 0 };

export interface ClockControllerOptions {
  store: Store;
  clock: MovableClock;
  scheduler: Scheduler;
  /** Called in the transaction that stores an earlier time; `by` is the negative difference in milliseconds. */
  onMovedBack(tx: Transaction, by: number): Promise<void>;
}

export class ClockController {
  readonly #changes = new SerialQueue();
  #lastStored: string | undefined;

  constructor(private readonly options: ClockControllerOptions) {
    options.store.onCommit(({ foreign, settings, replaced }) => {
      if (!foreign || !(settings || replaced)) return;
      // Fails only if the database is unavailable. The next change of the clock restores it too.
      this.#exclusively(async () => {}).catch(() => {});
    });
  }

  get frozen(): boolean {
    return this.options.clock.frozen;
  }

  /** Milliseconds ahead of system time. */
  get offset(): number {
    return this.options.clock.offset;
  }

  /** Sets the time that this process, or another one on the same database, last stored. */
  restore(): Promise<void> {
    return this.#adopt(this.options.store.read);
  }

  /**
   * Runs a change that replaces everything stored, and blocks other changes of the clock meanwhile. Call `adoptClock`
   * in the transaction: the new time must be set before any other effect of the change is visible.
   */
  whileReplacing<T>(change: (adoptClock: (reads: Pick<Reads, 'settings'>) => Promise<void>) => Promise<T>): Promise<T> {
    return this.#exclusively(async () => {
      try {
        return await change((reads) => this.#adopt(reads, readImported));
      } catch (error) {
        // The transaction may have been rolled back after it set the time.
        await this.restore();
        throw error;
      }
    });
  }

  async #adopt(reads: Pick<Reads, 'settings'>, read = readStored): Promise<void> {
    const { clock } = this.options;
    const stored = await reads.settings.get(CLOCK_SETTING, read);
    if (stored?.text === this.#lastStored) return;
    const { offset, frozenAt } = stored ?? MACHINE_TIME;
    this.#lastStored = stored?.text;
    clock.run(offset);
    if (frozenAt === null) return;
    clock.freeze();
    clock.set(frozenAt);
  }

  /** Moves the clock forward. `patienceMs` is the time to wait for webhook attempts in all. */
  advance(milliseconds: number, { patienceMs, ...where }: Move = {}): Promise<TimeTravelResult> {
    return this.#exclusively(async () => {
      const { clock } = this.options;
      const offset = clock.offset + milliseconds;
      const to = clock.now() + milliseconds;
      refuseBeyond(to);
      return this.#move(to, clock.frozen, { ...where, patienceMs, offset });
    });
  }

  /**
   * Sets the clock, and freezes or resumes it. Moving it forward runs the jobs that become due. Moving it back undoes
   * nothing and only delays pending jobs; deliveries that wait for the delivery delay keep the rest of it.
   */
  update(
    { now, frozen }: { now?: number | undefined; frozen?: boolean | undefined },
    where: Pick<Move, 'store'> = {},
  ): Promise<TimeTravelResult> {
    return this.#exclusively(async () => {
      const { clock } = this.options;
      if (now !== undefined) refuseBeyond(now);
      return this.#move(now, frozen ?? clock.frozen, where);
    });
  }

  /** Resumes the clock at system time. If that moves it, runs jobs as `update` does. */
  reset(where: Pick<Move, 'store'> = {}): Promise<TimeTravelResult> {
    return this.#exclusively(async () => {
      const { clock } = this.options;
      if (!clock.frozen && clock.offset === 0) return NOTHING;
      const ran = await this.#move(clock.systemNow(), false, where);
      clock.run(0);
      await this.#persist(false, where);
      return ran;
    });
  }

  #exclusively<T>(change: () => Promise<T>): Promise<T> {
    return this.#changes.run(async () => {
      await this.restore();
      return change();
    });
  }

  /**
   * Moves to an instant, if one is given, and freezes or resumes the clock. A clock that runs is then ahead of system
   * time by `offset`, if it is given: an offset from two readings of the time may differ by a millisecond.
   */
  async #move(
    to: number | undefined,
    frozenAfter: boolean,
    { patienceMs = PATIENCE_MS, offset, store }: Move & { offset?: number },
  ): Promise<TimeTravelResult> {
    const { clock, scheduler, onMovedBack } = this.options;
    clock.freeze();
    try {
      if (to === undefined) return NOTHING;
      if (to < clock.now()) {
        // Before the write, which may run its work twice.
        const by = to - clock.now();
        await this.#persist(frozenAfter, { store }, async (tx) => {
          // Set in the transaction, so that an email that is sent meanwhile is either of the old time and shifted, or
          // of the new time.
          clock.set(to);
          await onMovedBack(tx, by);
        });
        return NOTHING;
      }
      clock.moving = true;
      const offsetAfter = offset ?? to - clock.systemNow();
      const result = await scheduler.advanceTo(to, patienceMs, async (instant) => {
        clock.set(instant);
        await this.#persist(frozenAfter, { store });
      });
      // A clock that runs does not lose the time that the move took.
      if (!frozenAfter) clock.run(offsetAfter);
      return result;
    } finally {
      clock.moving = false;
      if (!frozenAfter) clock.resume();
      await this.#persist(frozenAfter, { store });
    }
  }

  /** Stores the time, in one transaction with another effect of the move. */
  async #persist(
    frozen: boolean,
    { store = this.options.store }: Pick<Move, 'store'>,
    effect?: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const { clock } = this.options;
    await store.write(async (tx) => {
      await effect?.(tx);
      const stored: StoredClock = { offset: clock.offset, frozenAt: frozen ? clock.now() : null };
      this.#lastStored = JSON.stringify(stored);
      await tx.settings.set(CLOCK_SETTING, this.#lastStored);
    });
  }
}
