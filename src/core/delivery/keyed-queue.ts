import type { Clock } from '../ports.js';

/** Maximum time that a task waits for the previous one, so that a slow receiver does not block later deliveries forever. */
export const TIMEOUT_MS = 5_000;

/** Runs tasks with the same key one at a time, in order. A task that exceeds the timeout no longer blocks the next. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  constructor(private readonly clock: Pick<Clock, 'after'>) {}

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.#tails.get(key);
    const current = previous ? this.#withTimeout(previous).then(task) : task();
    this.#tails.set(key, current);
    try {
      return await current;
    } finally {
      if (this.#tails.get(key) === current) this.#tails.delete(key);
    }
  }

  #withTimeout(previous: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.clock.after(TIMEOUT_MS, resolve);
      const go = () => {
        cancel();
        resolve();
      };
      previous.then(go, go);
    });
  }
}
