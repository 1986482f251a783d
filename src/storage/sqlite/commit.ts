import type { Committed, Committing } from '../../core/store.js';
import type { Transaction } from '../../core/transaction.js';
import { Changes } from './changes.js';
import { isDamage, named, unavailable } from './files/disk-errors.js';
import type { Transactions } from './transactions.js';

/** A write that a caller waits for. */
export interface Write {
  run(tx: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Result = { value: unknown } | { error: unknown };

/**
 * The writes of one transaction and what they change. Whatever is pending lives here, so a commit that fails is dropped and
 * leaves nothing behind.
 */
export class Commit {
  readonly changes = new Changes();
  readonly #writes: Write[];
  /** What each of the first writes returned or threw. */
  readonly #results: Result[] = [];

  constructor(writes: readonly Write[]) {
    this.#writes = [...writes];
  }

  /**
   * Runs the writes in order, each in a savepoint, and then those that `joining` returns for what they brought, until they
   * bring no more.
   * @throws Error when SQLite rolled back the transaction.
   */
  async run(transactions: Transactions, tx: Transaction, joining: (news: Committing) => Write[]): Promise<void> {
    do {
      const mark = this.changes.mark();
      for (const write of this.#writes.slice(this.#results.length)) await this.#runOne(write, transactions, tx);
      const news = { events: this.changes.hasEventsSince(mark), jobs: this.changes.jobs > mark.jobs };
      if (news.events || news.jobs) this.#writes.push(...joining(news));
    } while (this.#results.length < this.#writes.length);
  }

  async #runOne(write: Write, transactions: Transactions, tx: Transaction): Promise<void> {
    const mark = this.changes.mark();
    const result = await transactions.attempt(() => write.run(tx));
    if ('error' in result) this.changes.undo(mark);
    this.#results.push(result);
  }

  /** What listeners are told after the commit. */
  get committed(): Committed {
    const { events, jobs, replaced } = this.changes;
    const hasEvents = events.length > 0 || replaced !== undefined;
    return { events: hasEvents, jobs: jobs > 0, appended: events, ...(replaced && { replaced }) };
  }

  /** Answers every caller: the commit is on disk. */
  succeed(): void {
    this.#answer((result) => result);
  }

  /** Rejects every write: the transaction was rolled back, because of a full disk for example. */
  fail(cause: unknown): void {
    const error = isDamage(cause) ? named(cause) : unavailable(cause);
    for (const { reject } of this.#writes) reject(error);
  }

  /** Rejects the writes that succeeded: they are in the database, but a crash of the machine may lose them. */
  failUnflushed(cause: unknown): void {
    const error = unavailable(cause);
    this.#answer((result) => ('value' in result ? { error } : result));
  }

  #answer(answerTo: (result: Result) => Result): void {
    this.#results.forEach((result, index) => {
      const write = this.#writes[index];
      if (write) answer(write, answerTo(result));
    });
  }
}

function answer(write: Write, result: Result): void {
  if ('value' in result) write.resolve(result.value);
  else write.reject(named(result.error));
}
