import type { Transaction } from '../../core/transaction.js';
import type { Write } from './commit.js';

/** Maximum number of writes in a commit. It limits how long a commit blocks the event loop: about 10 ms of inserts. */
const WRITES_PER_COMMIT = 256;

/**
 * Number of consecutive turns of the event loop without new writes after which a commit begins. Callers whose writes
 * share a commit send their next writes within a few turns, so waiting lets these share a commit too.
 */
const QUIET_TURNS = 2;

/** Collects writes that arrive close together, so that they share a commit. Runs one commit at a time. */
export class WriteQueue {
  readonly #writes: Write[] = [];
  /** Number of writes whose commit has begun. */
  #begun = 0;
  #committing: Promise<void> | undefined;

  constructor(
    private readonly commit: (writes: Write[]) => Promise<void>,
    private readonly onInternalError: (error: unknown) => void,
  ) {}

  /** Adds a write. Resolves with the result of `run` when its commit is on disk. */
  add<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#writes.push({ run, resolve: resolve as Write['resolve'], reject });
      this.#schedule();
    });
  }

  /** Number of writes that are not committed yet. */
  get pending(): number {
    return this.#writes.length + this.#begun;
  }

  /** Returns the writes whose commit has not begun, and removes them. */
  takeQueued(): Write[] {
    return this.#writes.splice(0);
  }

  /** Returns the writes that `callback` adds, instead of queueing them. */
  takeAddedBy(callback: () => void): Write[] {
    const queued = this.#writes.length;
    callback();
    return this.#writes.splice(queued);
  }

  /** Waits until every queued write is committed. */
  async drain(): Promise<void> {
    while (this.#committing) await this.#committing;
  }

  #schedule(): void {
    this.#committing ??= this.#gather()
      .then(() => {
        const writes = this.#writes.splice(0, WRITES_PER_COMMIT);
        this.#begun = writes.length;
        return this.commit(writes);
      })
      .catch(this.onInternalError)
      .finally(() => {
        this.#begun = 0;
        this.#committing = undefined;
        if (this.#writes.length > 0) this.#schedule();
      });
  }

  /** Waits until turns of the event loop add no more writes. */
  async #gather(): Promise<void> {
    let queued = 0;
    let quiet = 0;
    do {
      await nextTurn();
      quiet = this.#writes.length === queued ? quiet + 1 : 0;
      queued = this.#writes.length;
    } while (quiet < QUIET_TURNS && queued < WRITES_PER_COMMIT);
  }
}

/** Resolves in the next turn of the event loop, after other work has run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
