import type Database from 'better-sqlite3';
import type { Reads } from '../../core/reads.js';
import {
  type Committed,
  type Committing,
  type ListenerNeeds,
  type MigrationStep,
  type Snapshot,
  type Store,
  StoreClosedError,
  type StoreSize,
  UnusableStateError,
} from '../../core/store.js';
import type { StagedState, Transaction } from '../../core/transaction.js';
import { ANY_JOB_KIND } from '../common/changes.js';
import { Commit, type EngineErrors, nextTurn, type Write, WriteQueue } from '../common/commit.js';
import { concernsListeners, Listeners, withNamedErrors } from '../common/listeners.js';
import { createTables } from '../common/tables.js';
import { isDamage, named, orUnavailable, reasonOf, unavailable } from './disk-errors.js';
import { returnPages, rewrite, sizeOf, truncateFiles } from './files/compact.js';
import { waitingWhenBusy } from './files/connect.js';
import type { Flusher } from './files/flusher.js';
import { type Location, openDatabase } from './files/open.js';
import { takeSnapshot } from './files/snapshot.js';
import { isForeignContent, StagedFile, writeStagedFile } from './files/staged-file.js';
import { replaceTables } from './replace.js';
import { reset } from './reset.js';
import { type RowHooks, RowReader } from './rows/reader.js';
import { sqliteSearch } from './search/engine.js';
import { isIndexError } from './search/repair-index.js';
import { SqliteSql } from './sql.js';
import { Transactions } from './transactions.js';

/** A store, with a count from when it was opened. */
interface OpenedStore extends Store {
  /** Number of rows in the table `quarantine` that no one had reviewed when the store was opened. */
  readonly unreviewedRows: number;
  /** Returns the number of writes that are not committed yet. */
  pendingWrites(): number;
  /** Reads from the store. */
  ping(): Promise<void>;
}

interface StoreHooks extends RowHooks {
  /** Called before each migration of stored emails. It blocks the process. */
  onMigration?: ((step: MigrationStep) => void) | undefined;
}

/**
 * Opens the store in a file or in memory.
 * @throws UnusableDatabaseError if the file is not svc's, or cannot be read and written.
 */
export function openSqliteStore(location: Location, hooks: StoreHooks = {}): OpenedStore {
  const { db, disk } = openDatabase(location, hooks.onMigration);
  return new SqliteStore(db, disk, location, hooks);
}

/**
 * Implements the Store port on better-sqlite3. SQLite is synchronous, so writes that arrive within a few turns of the
 * event loop share a commit and its flush to disk. Meanwhile the next writes are collected.
 */
class SqliteStore implements OpenedStore {
  readonly read: Reads;
  readonly unreviewedRows: number;
  readonly #tables;
  readonly #tx: Transaction;
  readonly #transactions: Transactions;
  readonly #writes = new WriteQueue(
    (writes) => this.#commitAll(writes),
    (error) => this.hooks.onInternalError?.(error),
  );
  readonly #errors: EngineErrors = {
    named,
    unavailable,
    // A damaged index is made again, so a later try succeeds.
    failed: (cause) => (isDamage(cause) && !isIndexError(cause) ? named(cause) : unavailable(cause)),
    // FTS5 may report a damaged index only at the end of the savepoint. The second run does not use the index.
    mustRunAgain: (error) => {
      if (isIndexError(error)) this.#tables.emails.distrustIndex();
      return isIndexError(error);
    },
  };
  readonly #listeners = new Listeners((error) => this.hooks.onInternalError?.(error));
  /** The current commit; an empty one between commits. */
  #commit = new Commit([], this.#errors);
  #closed = false;
  #staged = 0;

  constructor(
    private readonly db: Database.Database,
    private readonly disk: Flusher,
    private readonly location: Location,
    private readonly hooks: RowHooks,
  ) {
    const unreviewed = db.prepare('SELECT count(*) FROM quarantine WHERE reviewed = 0').pluck();
    this.unreviewedRows = unreviewed.get() as number;
    const rows = new RowReader(db, hooks);
    // A database in memory has no rows yet.
    if (location !== 'memory') rows.setOutOfRangeAside();
    this.#transactions = new Transactions(db);
    this.#tables = createTables(new SqliteSql(db), rows, () => this.#commit.changes, sqliteSearch(db));
    this.read = withNamedErrors(this.#tables, (error) => (db.open ? named(error) : new StoreClosedError()));
    this.#tx = {
      ...this.#tables,
      reset: async () => {
        reset(db);
        this.#commit.changes.replaceAll({ lastEvent: 0, lastRequest: 0, lastSmtpSession: 0 });
      },
      replace: async (staged) => this.#replace(staged),
    };
  }

  pendingWrites(): number {
    return this.#writes.pending;
  }

  async ping(): Promise<void> {
    await this.read.events.lastSeq();
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
    return takeSnapshot(this.db, this.location).catch(orUnavailable);
  }

  async stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedState> {
    const { file, setAside, remove } = await writeStagedFile(bytes, this.location).catch(orUnavailable);
    this.#staged += 1;
    const schema = `staged${this.#staged}`;
    await this.#betweenCommits();
    try {
      this.db.prepare(`ATTACH ? AS ${schema}`).run(file);
    } catch (error) {
      remove();
      throw error;
    }
    return new StagedFile(schema, setAside, async () => {
      await this.#betweenCommits();
      if (this.db.open) {
        this.db.exec(`DETACH ${schema}`);
        // Truncates the log, which contains a second copy of the whole state.
        this.db.pragma('wal_checkpoint(TRUNCATE)');
      }
      remove();
    });
  }

  async size(): Promise<StoreSize> {
    return sizeOf(this.db);
  }

  async compact({ full, maxBytes }: { full: boolean; maxBytes: number }): Promise<void> {
    try {
      if (!full) await returnPages(this.db, maxBytes, (step) => this.write(async () => step()));
      await this.#betweenCommits();
      waitingWhenBusy(this.db, () => {
        if (full) rewrite(this.db);
        truncateFiles(this.db);
      });
    } catch (error) {
      orUnavailable(error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#writes.drain();
    if (!this.db.open) return;
    try {
      await waitingWhenBusy(this.db, () => this.#tables.contents.deleteUnfinished());
    } catch (error) {
      // The disk may be full, for example. The next start after a crash deletes the chunks.
      this.hooks.onInternalError?.(named(error));
    } finally {
      await this.disk.close().finally(() => this.db.close());
    }
  }

  /** Runs writes in one transaction, flushes it to disk, settles the callers' promises, and notifies the listeners. */
  async #commitAll(writes: Write[]): Promise<void> {
    const commit = new Commit(writes, this.#errors);
    try {
      await this.#transactions.begin();
      this.#commit = commit;
      await this.#tables.apiKeys.refresh();
      this.#tables.workspaces.forget();
      await commit.run(this.#transactions, this.#tx, (added) => this.#listeners.joining(added, this.#writes));
      this.#tables.events.writeCounts(commit.changes);
      this.#tables.emails.writeCounts(commit.changes.emailCounts);
      this.#tables.workspaces.writeSent(commit.changes.sent);
      this.#transactions.commit();
    } catch (error) {
      if (isIndexError(error)) this.#tables.emails.distrustIndex();
      commit.fail(error);
      this.#transactions.rollback();
      return;
    } finally {
      this.#commit = new Commit([], this.#errors);
    }
    this.#tables.contents.finish(commit.changes.contents);
    try {
      await this.disk.flush();
      commit.succeed();
    } catch (error) {
      commit.failUnflushed(error);
    }
    // Notifies even after a failed flush, because the rows are readable and the work that follows from them must continue.
    const { committed } = commit;
    if (concernsListeners(committed)) this.#listeners.notify(committed);
  }

  #replace(staged: StagedState): void {
    if (!(staged instanceof StagedFile)) throw new TypeError('staged by another store');
    const { changes } = this.#commit;
    try {
      changes.replaceAll(replaceTables(this.db, staged.schema));
      changes.jobs.push(ANY_JOB_KIND);
    } catch (error) {
      if (isForeignContent(error))
        throw new UnusableStateError(`The database in the archive is damaged: ${reasonOf(error)}.`);
      throw error;
    }
    this.#tables.apiKeys.forget();
    this.#tables.workspaces.forget();
  }

  /**
   * Waits until no transaction is open, because databases cannot be attached or detached in one. Transactions end in
   * the turn in which they began.
   */
  #betweenCommits(): Promise<void> {
    return nextTurn();
  }
}
