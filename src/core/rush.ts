import type { Clock } from './ports.js';

/** Arrivals closer together than this are a rush. */
const QUIET_MS = 5;
/** How long a rush may hold work back before some of it is done all the same. */
const PATIENCE_MS = 250;

/**
 * Tells whether mail is coming in so fast that what need not be done at once should wait, so that those who wait to be
 * acknowledged go first. A single mail is no rush, and nobody is kept waiting who asks for what is held back.
 */
export class Rush {
  /** Called when a rush is over, or has lasted long enough. */
  whenOver = () => {};
  #last = Number.NEGATIVE_INFINITY;
  #began: number | null = null;
  #hurried = 0;

  constructor(private readonly clock: Pick<Clock, 'systemNow' | 'after'>) {}

  get on(): boolean {
    return this.#began !== null && this.#hurried === 0;
  }

  /** Notes an arrival. */
  arrived(): void {
    const now = this.clock.systemNow();
    const close = now - this.#last < QUIET_MS;
    this.#last = now;
    if (!close || this.#began !== null) return;
    this.#began = now;
    this.#lookAgain(QUIET_MS);
  }

  /** Holds nothing back while somebody waits for `done`. */
  async hurry<T>(done: Promise<T>): Promise<T> {
    this.#hurried += 1;
    this.whenOver();
    try {
      return await done;
    } finally {
      this.#hurried -= 1;
    }
  }

  #lookAgain(wait: number): void {
    this.clock.after(wait, () => {
      const now = this.clock.systemNow();
      const since = now - this.#last;
      const lasting = since < QUIET_MS && since >= 0;
      if (lasting && now - (this.#began ?? now) < PATIENCE_MS) return this.#lookAgain(QUIET_MS - since);
      this.#began = null;
      this.whenOver();
    });
  }
}
