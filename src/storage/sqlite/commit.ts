import type { Committed, Committing } from '../../core/store.js';
import type { Transaction } from '../../core/transaction.js';
import { Changes } from './changes.js';
import { isDamage, named, unavailable } from './files/disk-errors.js';
import type { CountsByInstant } from './tables/counts.js';
import type { Transactions } from './transactions.js';

/** A write with the functions that settle its caller's promise. */
export interface Write {
  run(tx: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const NO_NEWS: Committing = { events: false, jobs: false };

type Result = { value: unknown } | { error: unknown };

/** Returns the commit under way, or an empty one between commits. */
export type CurrentCommit = () => Pick<Commit, 'changes' | 'pendingCounts'>;

/**
 * Runs the writes of one transaction and collects their changes. All pending state is in this object, so a failed
 * commit leaves nothing behind.
 */
export class Commit {
  /** The changes of the write that is running. Dropped if the write fails. */
  changes = new Changes();
  /** The changes of the writes that succeeded. */
  readonly #kept = new Changes();
  /** What these changes brought since the before-commit listeners were last called. */
  #news = NO_NEWS;
  readonly #writes: Write[];
  /** The writes that ran, and what each returned or threw. */
  readonly #done: { write: Write; result: Result }[] = [];

  constructor(writes: readonly Write[]) {
    this.#writes = [...writes];
  }

  /**
   * Runs the writes in order, each in a savepoint. If they add events or jobs, also runs the writes that `joining`
   * returns, until no more are added.
   * @throws Error if SQLite rolled back the transaction.
   */
  async run(transactions: Transactions, tx: Transaction, joining: (news: Committing) => Write[]): Promise<void> {
    do {
      for (const write of this.#writes.slice(this.#done.length)) {
        this.#done.push({ write, result: await this.#runOne(write, transactions, tx) });
      }
      const news = this.#news;
      this.#news = NO_NEWS;
      if (news.events || news.jobs) this.#writes.push(...joining(news));
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
    this.#news = { events: this.#news.events || changes.hasEvents, jobs: this.#news.jobs || changes.jobs };
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

  /** The changes to report to listeners after the commit. */
  get committed(): Committed {
    const { hasEvents, jobs, events, replaced } = this.#kept;
    return { events: hasEvents, jobs, appended: events, ...(replaced && { replaced }) };
  }

  /** Resolves or rejects the promise of every caller. Call it when the commit is on disk. */
  succeed(): void {
    for (const { write, result } of this.#done) answer(write, result);
  }

  /** Rejects every write, because the transaction was rolled back, for example because of a full disk. */
  fail(cause: unknown): void {
    const error = isDamage(cause) ? named(cause) : unavailable(cause);
    for (const { reject } of this.#writes) reject(error);
  }

  /** Rejects the writes that succeeded. They are in the database, but a crash of the machine may lose them. */
  failUnflushed(cause: unknown): void {
    const error = unavailable(cause);
    for (const { write, result } of this.#done) answer(write, 'value' in result ? { error } : result);
  }
}

function answer(write: Write, result: Result): void {
  if ('value' in result) write.resolve(result.value);
  else write.reject(named(result.error));
}
