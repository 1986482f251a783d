import type { Clock } from './ports.js';

/** Mail that comes in sooner than this after the last was acknowledged makes a rush. */
const QUIET_MS = 5;
/** How long a rush may hold work back before some of it is done all the same. */
const PATIENCE_MS = 3_000;

/**
 * Tells whether mail is coming in so fast that what need not be done at once should wait, so that those who wait to be
 * acknowledged go first. A single mail is no rush; whoever asks for what is held back has it done for them.
 */
export class Rush {
  /** Called when a rush is over, or has lasted long enough. */
  whenOver = () => {};
  #under = 0;
  #last = Number.NEGATIVE_INFINITY;
  #began: number | null = null;

  constructor(private readonly clock: Pick<Clock, 'systemNow' | 'after'>) {}

  get on(): boolean {
    return this.#began !== null;
  }

  /** Notes a mail on its way in, until it is written. */
  async admit<T>(written: Promise<T>): Promise<T> {
    if (this.#began === null && this.#isBusy()) {
      this.#began = this.clock.systemNow();
      this.#lookAfter(QUIET_MS);
    }
    this.#under += 1;
    try {
      return await written;
    } finally {
      this.#under -= 1;
      // Its sender has the answer only now: time that a flush to the disk took is no quiet.
      this.#last = this.clock.systemNow();
    }
  }

  #isBusy(): boolean {
    return this.#under > 0 || Math.abs(this.clock.systemNow() - this.#last) < QUIET_MS;
  }

  #lookAfter(wait: number): void {
    this.clock.after(wait, () => {
      const lasted = this.clock.systemNow() - (this.#began ?? 0);
      if (this.#isBusy() && lasted >= 0 && lasted < PATIENCE_MS) return this.#lookAfter(QUIET_MS);
      this.#began = null;
      this.whenOver();
    });
  }
}
