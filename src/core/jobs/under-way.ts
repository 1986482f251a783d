import { type Clock, isTemporary } from '../ports.js';
import { STORE_RETRY_MS, type Store } from '../store.js';
import type { Transaction } from '../transaction.js';

/** Milliseconds of system time that every attempt has to finish, whatever the patience. */
const LEAST_MS = 250;
/** Interval of checks whether attempts have finished. */
const CHECK_MS = 20;

interface Entry {
  /** The instant on the service's clock at which the attempt times out; null until it starts. */
  deadline: number | null;
  /** System time at its start, without the time in which this process did not run. */
  began: number;
  cut(): void;
}

/** Returns when a wait that starts now, with patience until an instant in system time, ends at the latest. */
export function latestEnd(until: number, clock: Pick<Clock, 'systemNow'>): number {
  return Math.max(until, clock.systemNow()) + LEAST_MS;
}

/**
 * Tracks the attempts that are waiting for another server, so that moving the clock does not wait for a slow one: those
 * of webhooks and of releases. An attempt that has a deadline and is overtaken by the new time ends as timed out.
 */
export class UnderWay {
  readonly #entries = new Set<Entry>();
  /** Milliseconds in which this process did not run, as checks that came late show. No attempt could finish then. */
  #lostMs = 0;

  constructor(private readonly clock: Pick<Clock, 'now' | 'systemNow' | 'after'>) {}

  /** Number of attempts that wait for a receiver, or for an earlier attempt. */
  get size(): number {
    return this.#entries.size;
  }

  /** Counts a task as waiting. It calls `start` when its attempt begins, with the function that ends the attempt. */
  async track<T>(task: (start: (timeoutMs: number, cut: () => void) => void) => Promise<T>): Promise<T> {
    const entry: Entry = { deadline: null, began: 0, cut: () => {} };
    this.#entries.add(entry);
    try {
      return await task((timeoutMs, cut) => {
        Object.assign(entry, { deadline: this.clock.now() + timeoutMs, began: this.#now(), cut });
      });
    } finally {
      this.#entries.delete(entry);
    }
  }

  /** Returns when the next attempt times out on the service's clock, where it is cut short; null without any. */
  nextDeadline(): number | null {
    const deadlines = [...this.#entries].flatMap(({ deadline }) => deadline ?? []);
    return deadlines.length > 0 ? Math.min(...deadlines) : null;
  }

  /** Ends the attempts that have had LEAST_MS and have timed out on the service's clock. Returns their number. */
  cutShort(): number {
    const now = this.clock.now();
    const late = this.#slow().filter(({ deadline }) => deadline !== null && deadline <= now);
    for (const entry of late) {
      this.#entries.delete(entry);
      entry.cut();
    }
    return late.length;
  }

  /**
   * Returns whether `until` in system time has passed, and only attempts that have had LEAST_MS are left of the tasks
   * that `running` counts.
   */
  isOver(until: number, running: number): boolean {
    const isLeft = this.size === 0 || this.size < running || this.nextDeadline() === null;
    return !isLeft && this.clock.systemNow() >= until && this.#slow().length === this.size;
  }

  /**
   * Resolves when that is so. Waits LEAST_MS longer at most, because clients may go on to cause new attempts.
   */
  impatience(until: number, running: () => number): { over: Promise<void>; cancel(): void } {
    let cancel = () => {};
    const latest = latestEnd(until, this.clock) - this.#lostMs;
    const over = new Promise<void>((resolve) => {
      const check = (expected: number) => {
        const now = this.clock.systemNow();
        if (now - expected > CHECK_MS) this.#lostMs += now - expected;
        if (this.isOver(until, running()) || this.#now() >= latest) return resolve();
        cancel = this.clock.after(CHECK_MS, () => check(now + CHECK_MS));
      };
      check(this.clock.systemNow());
    });
    return { over, cancel: () => cancel() };
  }

  /** Returns system time without the time in which this process did not run. */
  #now(): number {
    return this.clock.systemNow() - this.#lostMs;
  }

  /** Returns the attempts that have had LEAST_MS, and those that wait for an earlier one. */
  #slow(): Entry[] {
    const now = this.#now();
    return [...this.#entries].filter(({ deadline, began }) => deadline === null || now - began >= LEAST_MS);
  }
}

export interface PersistentWritesDeps {
  store: Pick<Store, 'write'>;
  clock: Pick<Clock, 'after'>;
  onInternalError(error: unknown): void;
}

/** Writes what must not be lost, again and again while the store is unavailable. */
export class PersistentWrites {
  /** Functions that end the pauses between attempts. */
  readonly #pauses = new Set<() => void>();
  #stopped = false;

  constructor(private readonly deps: PersistentWritesDeps) {}

  /**
   * Writes, and reports the first error.
   * @throws StoreUnavailableError if the store is unavailable after `stop`, and any other error at once.
   */
  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.deps.store.write(work);
      } catch (error) {
        if (!isTemporary(error) || this.#stopped) throw error;
        if (attempt === 1) this.deps.onInternalError(error);
        await this.#pause();
      }
    }
  }

  /** Ends the pauses. Each write has one attempt left. */
  stop(): void {
    this.#stopped = true;
    for (const end of this.#pauses) end();
  }

  async #pause(): Promise<void> {
    let cancel = () => {};
    let end = () => {};
    await new Promise<void>((resolve) => {
      end = resolve;
      this.#pauses.add(end);
      cancel = this.deps.clock.after(STORE_RETRY_MS, resolve);
    });
    cancel();
    this.#pauses.delete(end);
  }
}
