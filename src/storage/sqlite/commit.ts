import type { Committed, Committing } from '../../core/store.js';
import type { Transaction } from '../../core/transaction.js';
import { Changes } from './changes.js';
import { isDamage, named, unavailable } from './files/disk-errors.js';
import type { CountsByInstant } from './tables/counts.js';
import type { Transactions } from './transactions.js';

/** A write that a caller waits for. */
export interface Write {
  run(tx: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const NO_CHANGES: Committing = { events: false, jobs: false };

type Result = { value: unknown } | { error: unknown };

/** Returns the commit under way, or an empty one between commits. */
export type CurrentCommit = () => Pick<Commit, 'changes' | 'pendingCounts'>;

/**
 * The writes of one transaction and what they change. Whatever is pending lives here, so a commit that fails is dropped and
 * leaves nothing behind.
 */
export class Commit {
  /** The changes of the write that is running. Dropped if the write fails. */
  changes = new Changes();
  /** The changes of the writes that succeeded. */
  readonly #kept = new Changes();
  /** What these changes brought since the before-commit listeners were last called. */
  #newChanges = NO_CHANGES;
  readonly #writes: Write[];
  /** The writes that ran, and what each returned or threw. */
  readonly #done: { write: Write; result: Result }[] = [];

  constructor(writes: readonly Write[]) {
    this.#writes = [...writes];
  }

  /**
   * Runs the writes in order, each in a savepoint, and then those that `joining` returns for what they brought, until they
   * bring no more.
   * @throws Error when SQLite rolled back the transaction.
   */
  async run(transactions: Transactions, tx: Transaction, joining: (committing: Committing) => Write[]): Promise<void> {
    do {
      for (const write of this.#writes.slice(this.#done.length)) {
        this.#done.push({ write, result: await this.#runOne(write, transactions, tx) });
      }
      const committing = this.#newChanges;
      this.#newChanges = NO_CHANGES;
      if (committing.events || committing.jobs) this.#writes.push(...joining(committing));
    } while (this.#done.length < this.#writes.length);
  }

  async #runOne(write: Write, transactions: Transactions, tx: Transaction): Promise<Result> {
    try {
      const result = await transactions.attempt(() => write.run(tx));
      if ('value' in result) this.#keep(this.changes);
      return result;
    } finally {
      this.changes = new Changes();
    }
  }

  #keep(changes: Changes): void {
    this.#newChanges = {
      events: this.#newChanges.events || changes.hasEvents,
      jobs: this.#newChanges.jobs || changes.jobs,
    };
    this.#kept.add(changes);
  }

  /** Counts of events that are not written yet, visible inside the transaction. */
  pendingCounts(): CountsByInstant[] {
    return this.changes.replaced ? [this.changes.counts] : [this.changes.counts, this.#kept.counts];
  }

  /** The counts to write at the end of the transaction. */
  get counts(): CountsByInstant {
    return this.#kept.counts;
  }

  /** Keys of the contents that rows refer to since this commit, or that it deleted. */
  get contents(): readonly string[] {
    return this.#kept.contents;
  }

  /** What listeners are told after the commit. */
  get committed(): Committed {
    const { hasEvents, jobs, events, replaced } = this.#kept;
    return { events: hasEvents, jobs, appended: events, ...(replaced && { replaced }) };
  }

  /** Answers every caller: the commit is on disk. */
  succeed(): void {
    for (const { write, result } of this.#done) answer(write, result);
  }

  /** Rejects every write: the transaction was rolled back, because of a full disk for example. */
  fail(cause: unknown): void {
    const error = isDamage(cause) ? named(cause) : unavailable(cause);
    for (const { reject } of this.#writes) reject(error);
  }

  /** Rejects the writes that succeeded: they are in the database, but a crash of the machine may lose them. */
  failUnflushed(cause: unknown): void {
    const error = unavailable(cause);
    for (const { write, result } of this.#done) answer(write, 'value' in result ? { error } : result);
  }
}

function answer(write: Write, result: Result): void {
  if ('value' in result) write.resolve(result.value);
  else write.reject(named(result.error));
}
