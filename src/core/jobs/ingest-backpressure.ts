import type { Clock } from '../ports.js';

/** A message starts a burst if it arrives within this many milliseconds of the last acknowledgement. */
const QUIET_MS = 5;
/** Maximum milliseconds that a burst may defer background work. */
const MAX_DEFERRAL_MS = 3_000;

/**
 * Detects bursts of incoming messages. During a burst, background work is deferred so that senders are acknowledged
 * first. A single message is not a burst.
 */
export class BurstGate {
  readonly #idleListeners = new Set<() => void>();
  #inFlight = 0;
  #lastAcknowledgedAt = Number.NEGATIVE_INFINITY;
  #startedAt: number | null = null;

  constructor(private readonly clock: Pick<Clock, 'systemNow' | 'after'>) {}

  get isActive(): boolean {
    return this.#startedAt !== null;
  }

  /** Calls back when a burst ends, or when it has deferred work for the maximum time. */
  onIdle(listener: () => void): void {
    this.#idleListeners.add(listener);
  }

  /** Counts a message as in flight until it is written, except while it waits for what is passed to `apart`. */
  async track<T>(write: (apart: <W>(wait: Promise<W>) => Promise<W>) => Promise<T>): Promise<T> {
    if (this.#startedAt === null && this.#isBusy()) {
      this.#startedAt = this.clock.systemNow();
      this.#checkAfter(QUIET_MS);
    }
    this.#inFlight += 1;
    const apart = async <W>(wait: Promise<W>): Promise<W> => {
      this.#inFlight -= 1;
      try {
        return await wait;
      } finally {
        this.#inFlight += 1;
      }
    };
    try {
      return await write(apart);
    } finally {
      this.#inFlight -= 1;
      // Starts here, so that the time of a flush to disk does not count as a pause of the sender.
      this.#lastAcknowledgedAt = this.clock.systemNow();
    }
  }

  #isBusy(): boolean {
    return this.#inFlight > 0 || Math.abs(this.clock.systemNow() - this.#lastAcknowledgedAt) < QUIET_MS;
  }

  #checkAfter(wait: number): void {
    this.clock.after(wait, () => {
      const lasted = this.clock.systemNow() - (this.#startedAt ?? 0);
      if (this.#isBusy() && lasted >= 0 && lasted < MAX_DEFERRAL_MS) return this.#checkAfter(QUIET_MS);
      this.#startedAt = null;
      for (const listener of this.#idleListeners) listener();
    });
  }
}
