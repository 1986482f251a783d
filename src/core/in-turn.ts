import type { Clock } from './ports.js';

/** How long one waits for the one before it: a receiver that takes longer hears of what followed meanwhile. */
const PATIENCE_MS = 5_000;

/** Lets what has the same key happen in the order in which it was asked for; one at a time, unless one takes very long. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(private readonly clock: Pick<Clock, 'after'>) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = before ? this.#patiently(before).then(work) : work();
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }

  #patiently(before: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.clock.after(PATIENCE_MS, resolve);
      const go = () => {
        cancel();
        resolve();
      };
      before.then(go, go);
    });
  }
}
