import type { Reads } from '../../core/reads.js';
import {
  type Committed,
  type Committing,
  type Connections,
  type ListenerNeeds,
  type Snapshot,
  type Store,
  StoreClosedError,
  type StoreSize,
  UnusableStateError,
} from '../../core/store.js';
import type { StagedState, Transaction } from '../../core/transaction.js';
import { ANY_JOB_KIND, Changes } from '../common/changes.js';
import { Commit, type Write, WriteQueue } from '../common/commit.js';
import { concernsListeners, Listeners, withNamedErrors } from '../common/listeners.js';
import type { SearchEngine } from '../common/tables/mail/searched-emails.js';
import { createTables } from '../common/tables.js';
import { StagedArchive } from '../sqlite/files/archive-database.js';
import { Announcer } from './connections/announcer.js';
import { isLockTimeout, named, postgresErrors } from './connections/errors.js';
import { PROBES, READS, Readers, SEARCH_TIMES, type SearchTimes, searchesUse } from './connections/readers.js';
import {
  type Beginning,
  LOCK_TIMES,
  type LockTimes,
  StaleReadError,
  WriteTransaction,
} from './connections/transaction.js';
import { migrate } from './migrations.js';
import { isForeignContent, type Raise, replaceTables, takeSnapshot } from './rows/archive.js';
import { PostgresShared, reset } from './rows/shared.js';
import { parkerOf, type RowHooks, SkippingRows } from './rows/skipping-rows.js';
import { CandidateSearch } from './search/candidates.js';
import { SearchIndex } from './search/search-index.js';
import { PostgresSql } from './statements/sql.js';

export interface PostgresHooks extends RowHooks {
  /** The name of this process, unlike that of any other on the database. */
  process: string;
  /** Called with a line about a commit that waits for another session, or a lost connection. */
  onNotice?(text: string): void;
  /** How long commits wait for those of other processes. */
  lockTimes?: LockTimes;
  searchTimes?: SearchTimes;
}

/**
 * Opens the store in a PostgreSQL database. Creates or migrates its schema if necessary.
 * @throws UnusableDatabaseError if it cannot be used: the message has the host, port, database and user.
 */
export async function openPostgresStore(url: string, hooks: PostgresHooks): Promise<PostgresStore> {
  await migrate(url);
  const store = new PostgresStore(url, hooks);
  try {
    await store.start();
    return store;
  } catch (error) {
    await store.close();
    throw named(error);
  }
}

/**
 * Implements the Store port on PostgreSQL. Several processes may use one database: each writes over one connection, in
 * transactions that follow each other, and reads over others.
 */
class PostgresStore implements Store {
  readonly read: Reads;
  readonly shared;
  /** Bad rows stay where they are, so none waits for a review. */
  readonly unreviewedRows = 0;
  readonly #readers: Readers;
  readonly #searches: Readers;
  readonly #probes: Readers;
  readonly #transaction: WriteTransaction;
  readonly #tables;
  readonly #tx: Transaction;
  readonly #announcer: Announcer;
  readonly #record;
  readonly #ping;
  readonly #readSize;
  readonly #listeners = new Listeners((error) => this.hooks.onInternalError?.(error));
  readonly #writes = new WriteQueue(
    (writes) => this.#commitAll(writes),
    (error) => this.hooks.onInternalError?.(error),
  );
  /** The current commit; an empty one between commits. */
  #commit = new Commit([], postgresErrors);
  #closed = false;
  #ended: Promise<void> | undefined;

  constructor(
    private readonly url: string,
    private readonly hooks: PostgresHooks,
  ) {
    const onError = (error: unknown) => hooks.onInternalError?.(error);
    this.#readers = new Readers(url, READS, onError);
    this.#searches = new Readers(url, searchesUse(hooks.searchTimes ?? SEARCH_TIMES), onError);
    this.#probes = new Readers(url, PROBES, onError);
    const { pool, sql: outside, alone } = this.#readers;
    // Only messages to parse are read outside of transactions.
    const skipping = new SkippingRows(hooks, async (table, row, reason) =>
      table === 'received' ? this.write(() => park(table, row, reason)) : false,
    );
    const none = new Changes();
    const reads = createTables(outside, skipping, () => none, postgresSearch(outside, this.#searches.sql));
    this.read = withNamedErrors(reads, named);
    this.shared = new PostgresShared(alone);
    this.#ping = this.#probes.alone.prepare('SELECT 1 FROM ledger');
    this.#readSize = outside.prepare('SELECT pg_database_size(current_database())');

    const lockTimes = hooks.lockTimes ?? LOCK_TIMES;
    this.#transaction = new WriteTransaction(url, {
      ...lockTimes,
      onReport: () => hooks.onNotice?.(lockNotice(lockTimes, this.pendingWrites())),
    });
    const sql = new PostgresSql(this.#transaction, this.#transaction);
    const park = parkerOf(sql);
    const rows = new SkippingRows(hooks, park);
    this.#tables = createTables(sql, rows, () => this.#commit.changes, postgresSearch(sql));
    this.#tx = {
      ...this.#tables,
      reset: async () => {
        reset(sql);
        this.#commit.changes.replaceAll({ lastEvent: 0, lastRequest: 0, lastSmtpSession: 0 });
      },
      replace: (staged) => this.#replace(sql, staged),
    };
    this.#announcer = new Announcer({
      url,
      pool,
      sql: outside,
      process: hooks.process,
      // Some may have been removed since then.
      eventsFrom: async (first, last) =>
        (await reads.events.after(first - 1, last - first + 1)).filter(({ seq }) => seq <= last),
      notify: (committed) => this.#listeners.notify(committed),
      needsEvents: () => this.#listeners.needEvents,
      trim: () => this.shared.trim(),
      onNotice: hooks.onNotice,
    });
    this.#record = this.#announcer.recorder(sql);
  }

  start(): Promise<void> {
    return this.#announcer.start();
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreClosedError());
    return this.#writes.add(work);
  }

  beforeCommit(listener: (committing: Committing) => void): () => void {
    return this.#listeners.beforeCommit(listener);
  }

  onCommit(listener: (committed: Committed) => void, needs?: ListenerNeeds): () => void {
    return this.#listeners.onCommit(listener, needs);
  }

  snapshot(): Promise<Snapshot> {
    return takeSnapshot(this.url);
  }

  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedState> {
    return StagedArchive.from(bytes);
  }

  async size(): Promise<StoreSize> {
    return { bytes: (await this.#readSize.value<number>()) ?? 0, free: 0 };
  }

  connections(): Connections {
    return { reads: this.#readers.connections(), searches: this.#searches.connections() };
  }

  async ping(): Promise<void> {
    await this.#ping.value();
  }

  pendingWrites(): number {
    return this.#writes.pending;
  }

  /** PostgreSQL reuses space by itself; a full compaction returns it to the file system. */
  async compact({ full }: { full: boolean }): Promise<void> {
    try {
      await this.#readers.pool.query(full ? 'VACUUM FULL' : 'VACUUM');
    } catch (error) {
      throw named(error);
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#ended ??= this.#close();
    return this.#ended;
  }

  async #close(): Promise<void> {
    await this.#writes.drain();
    await this.#tables.contents.deleteUnfinished().catch((error) => this.hooks.onInternalError?.(named(error)));
    await this.#announcer.close();
    await this.#transaction.close();
    await Promise.all([this.#readers, this.#searches, this.#probes].map((readers) => readers.close()));
  }

  /** Runs writes in one transaction, settles the callers' promises, and notifies the listeners. */
  async #commitAll(writes: Write[]): Promise<void> {
    let commit = new Commit(writes, postgresErrors);
    let done: { seq: number | undefined; committed: Committed } | undefined;
    try {
      for (let beginning: Beginning = { savepoints: false, locked: false }; !done; ) {
        try {
          done = await this.#runAll(commit, beginning);
        } catch (error) {
          await this.#transaction.rollback();
          this.#announcer.failed();
          beginning = this.#again(beginning, error);
          commit = commit.again();
        }
      }
    } catch (error) {
      commit.fail(error);
      // Those that came meanwhile would wait for the same lock, one commit after the other.
      if (isLockTimeout(error)) new Commit(this.#writes.takeQueued(), postgresErrors).fail(error);
      return;
    } finally {
      this.#commit = new Commit([], postgresErrors);
    }
    this.#tables.contents.finish(commit.changes.contents);
    commit.succeed();
    if (done.seq !== undefined) this.#announcer.committed(done.seq, done.committed);
  }

  /** Returns how to run writes again after an error. @throws the error if they fail because of it. */
  #again({ savepoints, locked }: Beginning, error: unknown): Beginning {
    // Nothing was written: another process came first, or this one was suspended.
    if ((error instanceof StaleReadError || this.#transaction.wasIdle) && !locked) return { savepoints, locked: true };
    if (named(error) !== error || savepoints) throw error;
    // One write failed. In savepoints, the others succeed.
    return { savepoints: true, locked: true };
  }

  /** Runs writes in one transaction and commits it. Returns its changes, and its number if they concern listeners. */
  async #runAll(commit: Commit, beginning: Beginning): Promise<{ seq: number | undefined; committed: Committed }> {
    const transaction = this.#transaction;
    await transaction.begin(beginning);
    this.#commit = commit;
    const run = () => commit.run(transaction, this.#tx, (added) => this.#listeners.joining(added, this.#writes));
    await run();
    await this.#writes.joinWhile(transaction.lock(), commit, run);
    commit.changes.settle((number) => transaction.numberOf(number));
    this.#tables.events.writeCounts(commit.changes);
    this.#tables.emails.writeCounts(commit.changes.emailCounts);
    this.#tables.workspaces.writeSent(commit.changes.sent);
    const { committed } = commit;
    const seq = concernsListeners(committed) ? transaction.nextCommit() : undefined;
    if (seq !== undefined) this.#record(seq, committed);
    await transaction.commit();
    return { seq, committed };
  }

  async #replace(sql: PostgresSql, staged: StagedState): Promise<void> {
    if (!(staged instanceof StagedArchive)) throw new TypeError('staged by another store');
    const { changes } = this.#commit;
    const raise: Raise = (name, atLeast) => this.#transaction.raise(name, atLeast);
    try {
      changes.replaceAll(await replaceTables(sql, raise, staged));
    } catch (error) {
      if (isForeignContent(error))
        throw new UnusableStateError(`The database in the archive is damaged: ${(error as Error).message}.`);
      throw error;
    }
    changes.jobs.push(ANY_JOB_KIND);
  }
}

function lockNotice({ reportMs, failMs }: LockTimes, pending: number): string {
  return (
    `A commit has waited ${reportMs / 1_000} s for a lock of another session. Pending writes: ${pending}. They fail ` +
    `after ${failMs / 1_000} s. Check pg_locks and pg_stat_activity for the session.`
  );
}

/** Returns the index of searches in pg_trgm. `apart` runs searches over connections that other reads do not use. */
function postgresSearch(sql: PostgresSql, apart = sql): SearchEngine {
  return {
    sql: apart,
    index: (documents) => new SearchIndex(sql, documents),
    candidates: () => new CandidateSearch(apart),
  };
}
