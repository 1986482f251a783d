import type { Committed, Committing } from '../../core/store.js';
import type { Transaction } from '../../core/transaction.js';
import { Changes } from './changes.js';

/** A write with the functions that settle its caller's promise. */
export interface Write {
  run(tx: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Result = { value: unknown } | { error: unknown };

/** Runs the writes of a commit in the transaction of an engine. */
export interface Savepoints {
  /**
   * Runs work in a savepoint, and undoes it if it throws. Returns its value or its error.
   * @throws Error if the whole transaction is rolled back.
   */
  attempt<T>(work: () => Promise<T>): Promise<{ value: T } | { error: unknown }>;
}

/** What a commit needs to know about the errors of an engine. */
export interface EngineErrors {
  /** Converts an error of the engine to one of the core. Returns any other error unchanged. */
  named(error: unknown): unknown;
  /** Returns the error for the writes of a transaction that was rolled back. */
  failed(cause: unknown): unknown;
  unavailable(error: unknown): unknown;
  /** Returns whether a write must run a second time after this error. */
  mustRunAgain(error: unknown): boolean;
}

/**
 * Runs the writes of one transaction and collects their changes. All pending state is in this object, so a failed
 * commit leaves nothing behind.
 */
export class Commit {
  readonly changes = new Changes();
  readonly #writes: Write[];
  /** The results of the writes that have run, in the same order. */
  readonly #results: Result[] = [];

  constructor(
    writes: readonly Write[],
    private readonly errors: EngineErrors,
  ) {
    this.#writes = [...writes];
  }

  /**
   * Runs the writes in order, each in a savepoint. If they add events or jobs, also runs the writes that `joining`
   * returns, until no more are added.
   * @throws Error if the engine rolled back the transaction.
   */
  async run(transactions: Savepoints, tx: Transaction, joining: (added: Committing) => Write[]): Promise<void> {
    do {
      const mark = this.changes.mark();
      for (const write of this.#writes.slice(this.#results.length)) await this.#runOne(write, transactions, tx);
      const added = { events: this.changes.hasEventsSince(mark), ...this.changes.jobsSince(mark) };
      if (added.events || added.jobs) this.#writes.push(...joining(added));
    } while (this.#results.length < this.#writes.length);
  }

  async #runOne(write: Write, transactions: Savepoints, tx: Transaction): Promise<void> {
    const mark = this.changes.mark();
    let result = await transactions.attempt(() => write.run(tx));
    if ('error' in result) this.changes.undo(mark);
    if ('error' in result && this.errors.mustRunAgain(result.error)) {
      result = await transactions.attempt(() => write.run(tx));
      if ('error' in result) this.changes.undo(mark);
    }
    this.#results.push(result);
  }

  /** Adds writes that came meanwhile. */
  add(writes: readonly Write[]): void {
    this.#writes.push(...writes);
  }

  /** Number of writes that can be added. */
  get room(): number {
    return Math.max(0, WRITES_PER_COMMIT - this.#writes.length);
  }

  /** Returns a commit of the same writes, to run them again after a rollback. */
  again(): Commit {
    return new Commit(this.#writes, this.errors);
  }

  /** Returns the changes to report to listeners after the commit. */
  get committed(): Committed {
    const { events, jobs, deletions, replaced, emails, settings, logs, attempts } = this.changes;
    const hasEvents = events.length > 0 || replaced !== undefined;
    return {
      events: hasEvents,
      jobs: jobs.length > 0,
      appended: events,
      emails: distinct(emails),
      ...(deletions > 0 && { deleted: true }),
      ...(settings > 0 && { settings: true }),
      ...(logs > 0 && { logs: true }),
      ...(attempts.length > 0 && { attempts }),
      ...(replaced && { replaced }),
    };
  }

  /** Resolves or rejects the promise of every caller. Call it when the commit is on disk. */
  succeed(): void {
    this.#answer((result) => result);
  }

  /** Rejects every write, because the transaction was rolled back, for example because of a full disk. */
  fail(cause: unknown): void {
    const error = this.errors.failed(cause);
    for (const { reject } of this.#writes) reject(error);
  }

  /** Rejects the writes that succeeded. They are in the database, but a crash of the machine may lose them. */
  failUnflushed(cause: unknown): void {
    const error = this.errors.unavailable(cause);
    this.#answer((result) => ('value' in result ? { error } : result));
  }

  #answer(answerTo: (result: Result) => Result): void {
    this.#results.forEach((result, index) => {
      const write = this.#writes[index];
      if (!write) return;
      const answered = answerTo(result);
      if ('value' in answered) write.resolve(answered.value);
      else write.reject(this.errors.named(answered.error));
    });
  }
}

/** Returns each value once. Most commits of a quiet server change one email. */
function distinct(values: readonly string[]): readonly string[] {
  return values.length > 1 ? [...new Set(values)] : values;
}

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
  #onAdded = () => {};

  constructor(
    private readonly commit: (writes: Write[]) => Promise<void>,
    private readonly onInternalError: (error: unknown) => void,
  ) {}

  /** Adds a write. Resolves with the result of `run` when its commit is on disk. */
  add<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#writes.push({ run, resolve: resolve as Write['resolve'], reject });
      this.#onAdded();
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

  /** Adds writes to the current commit, as they come, until it no longer waits. `join` runs them. */
  async joinWhile(waiting: Promise<unknown>, commit: Commit, join: () => Promise<void>): Promise<void> {
    let isOver = false;
    const over = waiting.finally(() => {
      isOver = true;
    });
    over.catch(() => {});
    for (;;) {
      const added = new Promise<void>((resolve) => {
        this.#onAdded = resolve;
      });
      if (this.#writes.length === 0) await Promise.race([over, added]);
      if (isOver || commit.room === 0) return void (await over);
      const writes = this.#writes.splice(0, commit.room);
      this.#begun += writes.length;
      commit.add(writes);
      await join();
    }
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
