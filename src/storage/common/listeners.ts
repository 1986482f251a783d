import type { Committed, Committing } from '../../core/store.js';
import type { Write } from './commit.js';
import type { WriteQueue } from './write-queue.js';

/** The listeners of a store. */
export class Listeners {
  readonly #before = new Set<(committing: Committing) => void>();
  readonly #after = new Set<(committed: Committed) => void>();

  constructor(private readonly onInternalError: (error: unknown) => void) {}

  beforeCommit(listener: (committing: Committing) => void): () => void {
    this.#before.add(listener);
    return () => this.#before.delete(listener);
  }

  onCommit(listener: (committed: Committed) => void): () => void {
    this.#after.add(listener);
    return () => this.#after.delete(listener);
  }

  /** Calls the before-commit listeners and returns the writes that they add, which become part of the commit. */
  joining(committing: Committing, writes: WriteQueue): Write[] {
    return writes.takeAddedBy(() => {
      for (const listener of this.#before) listener(committing);
    });
  }

  /** Calls every listener of commits that listeners need, even if one throws. */
  notify(committed: Committed): void {
    for (const listener of this.#after) {
      try {
        listener(committed);
      } catch (error) {
        this.onInternalError(error);
      }
    }
  }
}

/** Returns whether listeners need to be notified of a commit. */
export function concernsListeners({ events, jobs, emails, settings, logs, attempts }: Committed): boolean {
  return events || jobs || emails.length > 0 || [settings, logs, attempts].some((each) => each !== undefined);
}
