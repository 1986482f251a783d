import type Database from 'better-sqlite3';
import {
  type Committed,
  type Committing,
  type Snapshot,
  type StagedState,
  type Store,
  UnusableStateError,
} from '../../core/store.js';
import type { Reads, Transaction } from '../../core/transaction.js';
import { isDamage, named, orUnavailable, reasonOf, unavailable } from './files/disk-errors.js';
import type { Flusher } from './files/flusher.js';
import { type Location, openDatabase } from './files/open.js';
import { takeSnapshot } from './files/snapshot.js';
import { isForeignContent, StagedFile, writeStagedFile } from './files/staged-file.js';
import { nextTurn } from './next-turn.js';
import { replaceTables } from './replace.js';
import { reset } from './reset.js';
import { type RowHooks, RowReader } from './rows/reader.js';
import { ApiKeyTable } from './tables/api-keys.js';
import { ContentTable } from './tables/contents.js';
import { DeliveryTable } from './tables/deliveries.js';
import { DomainTable } from './tables/domains.js';
import { EmailTable } from './tables/emails.js';
import { EventTable } from './tables/events.js';
import { JobTable } from './tables/jobs.js';
import { ReceivedTable } from './tables/received.js';
import { RequestTable } from './tables/requests.js';
import { RuleTable } from './tables/rules.js';
import { SettingTable } from './tables/settings.js';
import { SuppressionTable } from './tables/suppressions.js';
import { TemplateTable } from './tables/templates.js';
import { WebhookTable } from './tables/webhooks.js';

/** Bounds how long one commit keeps the event loop: some 10 ms of inserts. */
const WORKS_PER_COMMIT = 256;

/**
 * A commit begins when so many turns of the event loop in a row have brought nothing more for it: callers who were answered
 * together ask again together, and their next requests arrive over a few turns.
 */
const QUIET_TURNS = 2;

/** A store with what was found when it was opened. */
interface OpenedStore extends Store {
  /** Number of rows in the table `quarantine` that no one had reviewed when the store was opened. */
  readonly unreviewedRows: number;
}

const NOTHING: Committing = { events: false, jobs: false };

interface Work {
  run(tx: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The result of one unit of work, settled once the commit is on disk. */
interface WorkResult {
  /** Whether it is part of the commit, or failed by itself. */
  kept: boolean;
  settle(): void;
}

/**
 * Opens the store in a file, or in memory.
 * @throws UnusableDatabaseError when the file is not svc's, or cannot be read and written.
 */
export function openSqliteStore(location: Location, hooks: RowHooks = {}): OpenedStore {
  const { db, disk } = openDatabase(location);
  return new SqliteStore(db, disk, location, hooks);
}

/**
 * The store on better-sqlite3. SQLite is synchronous, so what is asked for over a few turns of the event loop is collected and
 * committed together: one flush to the disk for all of it, and what is asked for meanwhile makes the next commit. Each work
 * runs in a savepoint and can fail alone.
 */
class SqliteStore implements OpenedStore {
  readonly read: Reads;
  readonly unreviewedRows: number;
  readonly #tx: Transaction;
  readonly #events: EventTable;
  readonly #apiKeys: ApiKeyTable;
  readonly #contents: ContentTable;
  readonly #listeners = new Set<(committed: Committed) => void>();
  readonly #beforeCommitListeners = new Set<(committing: Committing) => void>();
  readonly #queue: Work[] = [];
  readonly #control;
  #flushing: Promise<void> | undefined;
  #closed = false;
  #staged = 0;
  #committed: Omit<Committed, 'appended'> = { ...NOTHING };
  /** What was added since the before-commit listeners were last called. */
  #dirty: Committing = { ...NOTHING };

  constructor(
    private readonly db: Database.Database,
    private readonly disk: Flusher,
    private readonly location: Location,
    private readonly hooks: RowHooks,
  ) {
    this.#control = {
      begin: db.prepare('BEGIN IMMEDIATE'),
      commit: db.prepare('COMMIT'),
      rollback: db.prepare('ROLLBACK'),
      savepoint: db.prepare('SAVEPOINT work'),
      release: db.prepare('RELEASE work'),
      undo: db.prepare('ROLLBACK TO work'),
    };
    const unreviewed = db.prepare('SELECT count(*) FROM quarantine WHERE reviewed = 0').pluck();
    this.unreviewedRows = unreviewed.get() as number;
    const rows = new RowReader(db, hooks);
    rows.setOutOfRangeAside();
    this.#events = new EventTable(db, rows, () => {
      this.#committed.events = true;
      this.#dirty.events = true;
    });
    this.#contents = new ContentTable(db, rows);
    this.#apiKeys = new ApiKeyTable(db, rows);
    const webhooks = new WebhookTable(db, rows);
    const tables = {
      emails: new EmailTable(db, rows, this.#contents),
      contents: this.#contents,
      received: new ReceivedTable(db, rows, this.#contents),
      events: this.#events,
      jobs: new JobTable(db, rows, () => {
        this.#committed.jobs = true;
        this.#dirty.jobs = true;
      }),
      templates: new TemplateTable(db, rows),
      domains: new DomainTable(db, rows),
      apiKeys: this.#apiKeys,
      webhooks,
      deliveries: new DeliveryTable(db, this.#events, webhooks, rows),
      settings: new SettingTable(db, rows),
      rules: new RuleTable(db, rows),
      suppressions: new SuppressionTable(db, rows),
      requests: new RequestTable(db, rows),
    };
    this.read = withNamedErrors(tables);
    this.#tx = {
      ...tables,
      reset: async () => {
        reset(db);
        this.#events.forget();
        this.#committed = { ...this.#committed, events: true, replaced: { lastEvent: 0, lastRequest: 0 } };
      },
      replace: async (staged) => this.#replace(staged),
    };
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('The store is closed.'));
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run: work, resolve: resolve as Work['resolve'], reject });
      this.#schedule();
    });
  }

  beforeCommit(listener: (committing: Committing) => void): () => void {
    this.#beforeCommitListeners.add(listener);
    return () => this.#beforeCommitListeners.delete(listener);
  }

  onCommit(listener: (committed: Committed) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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
        // The log held the whole state once more.
        this.db.pragma('wal_checkpoint(TRUNCATE)');
      }
      remove();
    });
  }

  #replace(staged: StagedState): void {
    if (!(staged instanceof StagedFile)) throw new TypeError('staged by another store');
    try {
      this.#dirty = { events: true, jobs: true };
      this.#committed = { events: true, jobs: true, replaced: replaceTables(this.db, staged.schema) };
    } catch (error) {
      if (isForeignContent(error))
        throw new UnusableStateError(`The database in the archive is damaged: ${reasonOf(error)}.`);
      throw error;
    }
    this.#events.forget();
    this.#apiKeys.forget();
  }

  /** A transaction lasts for one turn of the event loop at most; databases are attached and detached outside of any. */
  #betweenCommits(): Promise<void> {
    return nextTurn();
  }

  async close(): Promise<void> {
    this.#closed = true;
    while (this.#flushing) await this.#flushing;
    if (!this.db.open) return;
    try {
      this.#contents.deleteUnfinished();
    } catch (error) {
      // A full disk, for example. The next start after a crash deletes what is left.
      this.hooks.onInternalError?.(named(error));
    } finally {
      await this.disk.close().finally(() => this.db.close());
    }
  }

  #schedule(): void {
    this.#flushing ??= this.#gather()
      .then(() => this.#flush(this.#queue.splice(0, WORKS_PER_COMMIT)))
      .catch((error: unknown) => this.hooks.onInternalError?.(error))
      .finally(() => {
        this.#flushing = undefined;
        if (this.#queue.length > 0) this.#schedule();
      });
  }

  /** Waits for the turns of the event loop that bring more to be committed together. */
  async #gather(): Promise<void> {
    let queued = 0;
    let quiet = 0;
    do {
      await nextTurn();
      quiet = this.#queue.length === queued ? quiet + 1 : 0;
      queued = this.#queue.length;
    } while (quiet < QUIET_TURNS && queued < WORKS_PER_COMMIT);
  }

  async #flush(works: Work[]): Promise<void> {
    const results: WorkResult[] = [];
    try {
      this.#control.begin.run();
      this.#apiKeys.refresh();
      for (const work of works) results.push(await this.#run(work));
      for (let joining = this.#takeJoiningWork(); joining; joining = this.#takeJoiningWork()) {
        works.push(...joining);
        for (const work of joining) results.push(await this.#run(work));
      }
      this.#events.writeCounts();
      this.#control.commit.run();
    } catch (error) {
      // The disk is full, say: nothing of this commit holds, and everyone who asked for it is told.
      for (const { reject } of works) reject(isDamage(error) ? named(error) : unavailable(error));
      this.#events.endCommit();
      this.#contents.endCommit({ committed: false });
      this.#committed = { ...NOTHING };
      this.#dirty = { ...NOTHING };
      if (this.db.inTransaction) this.#control.rollback.run();
      return;
    }
    this.#contents.endCommit({ committed: true });
    const committed: Committed = { ...this.#committed, appended: this.#events.endCommit() };
    this.#committed = { ...NOTHING };
    try {
      await this.disk.flush();
      for (const { settle } of results) settle();
    } catch (error) {
      // It is in the database all the same, so what follows from it goes on; nobody is told that it will last.
      results.forEach(({ kept, settle }, index) => {
        if (kept) works[index]?.reject(unavailable(error));
        else settle();
      });
    }
    if (committed.events || committed.jobs) this.#tellListeners(committed);
  }

  /** One listener's fault must not keep the others from being called. */
  #tellListeners(committed: Committed): void {
    for (const listener of this.#listeners) {
      try {
        listener(committed);
      } catch (error) {
        this.hooks.onInternalError?.(error);
      }
    }
  }

  /** Lets the before-commit listeners add work to the commit that is about to be made. */
  #takeJoiningWork(): Work[] | undefined {
    const dirty = this.#dirty;
    if (!dirty.events && !dirty.jobs) return undefined;
    this.#dirty = { ...NOTHING };
    const queued = this.#queue.length;
    for (const listener of this.#beforeCommitListeners) listener(dirty);
    return this.#queue.splice(queued);
  }

  /** Runs one work in a savepoint; answers what to tell its asker once the commit holds. */
  async #run({ run, resolve, reject }: Work): Promise<WorkResult> {
    const before = { committed: { ...this.#committed }, dirty: { ...this.#dirty } };
    this.#control.savepoint.run();
    try {
      const value = await run(this.#tx);
      this.#control.release.run();
      this.#events.keepWork();
      this.#contents.keepWork();
      return { kept: true, settle: () => resolve(value) };
    } catch (error) {
      this.#events.dropWork();
      this.#contents.dropWork();
      this.#committed = before.committed;
      this.#dirty = before.dirty;
      // SQLite undoes the whole transaction by itself on some errors, a full disk among them.
      if (!this.db.inTransaction) throw error;
      this.#control.undo.run();
      this.#control.release.run();
      return { kept: false, settle: () => reject(named(error)) };
    }
  }
}

/** The same reads; what they throw has the core's names. */
function withNamedErrors(tables: Reads): Reads {
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
