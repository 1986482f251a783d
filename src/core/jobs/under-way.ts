import type { Clock } from '../ports.js';

/** Milliseconds of system time that every attempt has to finish, whatever the patience. */
const LEAST_MS = 250;
/** Interval of checks whether attempts have finished. */
const CHECK_MS = 20;

interface Entry {
  /** The instant on the service's clock at which the attempt times out; null until it starts. */
  deadline: number | null;
  /** System time at its start. */
  began: number;
  cut(): void;
}

/**
 * Tracks the webhook attempts that are waiting for a receiver, so that moving the clock does not wait for a slow one.
 * An attempt that the new time has overtaken ends as timed out.
 */
export class UnderWay {
  readonly #entries = new Set<Entry>();

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
        Object.assign(entry, { deadline: this.clock.now() + timeoutMs, began: this.clock.systemNow(), cut });
      });
    } finally {
      this.#entries.delete(entry);
    }
  }

  /** Returns when the next attempt times out on the service's clock; null if none is under way. */
  nextDeadline(): number | null {
    const deadlines = Array.from(this.#entries, ({ deadline }) => deadline).filter((each) => each !== null);
    return deadlines.length > 0 ? Math.min(...deadlines) : null;
  }

  /** Ends the attempts that have timed out on the service's clock. Returns their number. */
  cutShort(): number {
    const now = this.clock.now();
    const late = [...this.#entries].filter(({ deadline }) => deadline !== null && deadline <= now);
    for (const entry of late) {
      this.#entries.delete(entry);
      entry.cut();
    }
    return late.length;
  }

  /**
   * Resolves when `until` in system time has passed, and only attempts that have had LEAST_MS are left of the tasks that
   * `running` counts.
   */
  impatience(until: number, running: () => number): { over: Promise<void>; cancel(): void } {
    let cancel = () => {};
    const over = new Promise<void>((resolve) => {
      const check = () => {
        const now = this.clock.systemNow();
        const isSlow = ({ deadline, began }: Entry) => deadline === null || now - began >= LEAST_MS;
        const isOver = now >= until && this.size > 0 && this.size === running() && [...this.#entries].every(isSlow);
        if (isOver && this.nextDeadline() !== null) return resolve();
        cancel = this.clock.after(CHECK_MS, check);
      };
      check();
    });
    return { over, cancel: () => cancel() };
  }
}
