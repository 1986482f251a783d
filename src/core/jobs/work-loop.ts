import type { Clock } from '../ports.js';
import { STORE_RETRY_MS } from '../store.js';

export interface WorkLoopOptions {
  clock: Pick<Clock, 'after'>;
  /** Does one part of the work. Returns whether more may be left. */
  step(): Promise<boolean>;
  /** Called with the first error of a series. */
  onError(error: unknown): void;
  /** Called when no work is left. */
  onIdle?(): void;
}

/**
 * Repeats a step while work is left. After any error it retries with a delay, because the work is in the database and
 * would otherwise never be done.
 */
export class WorkLoop {
  #loop: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #failure: { error: unknown } | undefined;
  #cancelRetry: (() => void) | undefined;

  constructor(private readonly options: WorkLoopOptions) {}

  /** Returns the error of the last step; undefined if it succeeded. */
  get failure(): { error: unknown } | undefined {
    return this.#failure;
  }

  /** Resolves when the loop ends; undefined when it is not running. */
  get running(): Promise<void> | undefined {
    return this.#loop;
  }

  /**
   * Starts the loop, or runs another step if it is already running. Calls the first step before it returns, so that a
   * write in a before-commit listener becomes part of that commit.
   */
  kick(firstStep = this.options.step): void {
    if (this.#stopped) return;
    if (this.#loop) {
      this.#again = true;
      return;
    }
    this.#loop = this.#run(firstStep).finally(() => {
      this.#loop = undefined;
      if (this.#again && !this.#stopped) this.kick();
      else this.options.onIdle?.();
    });
  }

  /** Ends the loop after the current step. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelRetry?.();
    await this.#loop;
  }

  async #run(firstStep: () => Promise<boolean>): Promise<void> {
    let step = firstStep;
    try {
      do {
        this.#again = false;
        if (await step()) this.#again = true;
        this.#failure = undefined;
        step = this.options.step;
      } while (this.#again && !this.#stopped);
    } catch (error) {
      this.#retryLater(error);
    }
  }

  #retryLater(error: unknown): void {
    if (String(this.#failure?.error) !== String(error)) this.options.onError(error);
    this.#failure = { error };
    this.#cancelRetry ??= this.options.clock.after(STORE_RETRY_MS, () => {
      this.#cancelRetry = undefined;
      this.kick();
    });
  }
}
