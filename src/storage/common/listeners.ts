import type { Reads } from '../../core/reads.js';
import type { Committed, Committing, ListenerNeeds } from '../../core/store.js';
import type { Write, WriteQueue } from './commit.js';

/** The listeners of a store. */
export class Listeners {
  readonly #before = new Set<(committing: Committing) => void>();
  readonly #after = new Map<(committed: Committed) => void, ListenerNeeds>();

  constructor(private readonly onInternalError: (error: unknown) => void) {}

  beforeCommit(listener: (committing: Committing) => void): () => void {
    this.#before.add(listener);
    return () => this.#before.delete(listener);
  }

  onCommit(listener: (committed: Committed) => void, needs: ListenerNeeds = {}): () => void {
    this.#after.set(listener, needs);
    return () => this.#after.delete(listener);
  }

  /** Whether a listener follows events. */
  get needEvents(): boolean {
    for (const { events } of this.#after.values()) if (events) return true;
    return false;
  }

  /** Calls the before-commit listeners and returns the writes that they add, which become part of the commit. */
  joining(committing: Committing, writes: WriteQueue): Write[] {
    return writes.takeAddedBy(() => {
      for (const listener of this.#before) listener(committing);
    });
  }

  /** Calls every listener of commits that listeners need, even if one throws. */
  notify(committed: Committed): void {
    for (const listener of this.#after.keys()) {
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

/** Returns a map's value for a key, which is created when first needed. */
export function memoized<T>(known: Map<string, T>, key: string, make: () => T): T {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

/** Wraps reads so that they throw the core's errors, which `named` returns, instead of the engine's. */
export function withNamedErrors(tables: Reads, named: (error: unknown) => unknown): Reads {
  const wrapped = Object.entries(tables).map(([name, table]) => [
    name,
    new Proxy(table, {
      get(target: Record<string, unknown>, method: string) {
        const call = target[method];
        if (typeof call !== 'function') return call;
        return (...args: unknown[]) =>
          (call.apply(target, args) as Promise<unknown>).catch((error: unknown) => {
            throw named(error);
          });
      },
    }),
  ]);
  return Object.fromEntries(wrapped) as Reads;
}
