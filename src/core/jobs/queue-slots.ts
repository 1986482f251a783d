import type { JobClaim } from '../transaction.js';

/** Counts the running jobs of each queue, of which at most `limit` run at once (default: no limit). */
export class QueueSlots {
  readonly #running = new Map<string, number>();

  constructor(
    private readonly limit: number | undefined,
    /** Called when a full queue has room again. */
    private readonly onRoom: () => void,
  ) {}

  /** Returns the queues that have no room. */
  get full(): string[] {
    return [...this.#running].filter(([, running]) => running === this.limit).map(([queue]) => queue);
  }

  /** Returns what a claim must respect; undefined without a limit. */
  get limits(): JobClaim['perQueue'] {
    return this.limit === undefined ? undefined : { limit: this.limit, running: this.#running };
  }

  /** Counts a job of the queue as running. Returns the function that undoes this. */
  take(queue: string): () => void {
    this.#running.set(queue, (this.#running.get(queue) ?? 0) + 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      const running = this.#running.get(queue) ?? 1;
      if (running > 1) this.#running.set(queue, running - 1);
      else this.#running.delete(queue);
      // Only a full queue can have unclaimed jobs, and adding a job starts the loop.
      if (running === this.limit) this.onRoom();
    };
  }
}
